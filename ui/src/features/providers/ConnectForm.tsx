import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { InlineError } from "@/components/InlineError";
import { SecretField } from "@/components/SecretField";
import { SelectField } from "@/components/SelectField";
import { Switch } from "@/components/Switch";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ConnectionView, ProviderStatus } from "@/protocol/bindings";
import { useConfigureProvider } from "@/state/queries";
import { freeName, nameProblem } from "./connections";
import { presetOfKey, presets, providerName } from "./presets";

type Props = {
  /** A change of this one. */
  connection?: ConnectionView;
  /** One more beside those of these names. */
  beside?: readonly string[];
  submitLabel: string;
  onConnected: (status: ProviderStatus) => void;
};

const kinds = [
  { value: "auto", label: "As its address tells" },
  { value: "openai_compatible", label: "Chat completions" },
  { value: "openai_responses", label: "Responses, as OpenAI" },
  { value: "anthropic", label: "Messages, as Anthropic" },
  { value: "gemini", label: "generateContent, as Google" },
] as const;

/** A service, its address, a key and a model: tested before anything is kept. */
export function ConnectForm({ connection, beside, submitLabel, onConnected }: Props) {
  const startUrl = connection?.baseUrl || (presets[0]?.baseUrl ?? "");
  const [presetId, setPresetId] = useState(() => idOf(startUrl));
  const [baseUrl, setBaseUrl] = useState(startUrl);
  const [key, setKey] = useState("");
  const [model, setModel] = useState(connection?.model ?? "");
  const [kind, setKind] = useState(connection?.kind ?? "auto");
  const [fallback, setFallback] = useState(beside !== undefined);
  /** `null`: like the service. */
  const [written, setWritten] = useState<string | null>(null);
  const name =
    written?.trim() ?? freeName(presetId === "other" ? providerName(baseUrl) : presetId, beside ?? []);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [advanced, setAdvanced] = useState(kind !== "auto");
  const form = useRef<HTMLFormElement>(null);
  const configure = useConfigureProvider();
  const error = configure.error ? toApiError(configure.error) : null;
  // A key is sent nowhere else than where it was pasted for.
  const keyStays = connection?.key === "vault" && plain(connection.baseUrl) === plain(baseUrl);

  function choosePreset(id: string): void {
    setPresetId(id);
    setBaseUrl(presets.find((preset) => preset.id === id)?.baseUrl ?? "");
    setModel("");
  }

  function changeKey(next: string): void {
    setKey(next);
    const recognised = presetOfKey(next);
    if (recognised && recognised.id !== presetId) choosePreset(recognised.id);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const problem = beside === undefined ? null : nameProblem(name, beside);
    setUnfit(problem);
    if (problem !== null) {
      focusField(form.current, "name");
      return;
    }
    try {
      const status = await configure.mutateAsync({
        connection: connection?.name ?? (beside === undefined ? null : name),
        kind,
        baseUrl: baseUrl.trim(),
        model: model.trim(),
        apiKey: key.trim() || null,
        keyEnv: null,
        keepKey: false,
        // The card has a switch of its own, which may have been used meanwhile.
        fallback: connection?.fallback ?? fallback,
      });
      setKey("");
      onConnected(status);
    } catch (thrown) {
      // Its words are shown below.
      focusCulprit(form.current, toApiError(thrown).code);
    }
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void submit(event)}
      aria-label={connection ? `Key and address of ${connection.label}` : "Connect a model"}
      className="grid gap-4"
    >
      <SelectField
        label="Service"
        value={presetId}
        onChange={choosePreset}
        options={presets.map(({ id, label }) => ({ value: id, label }))}
      />
      <SecretField
        label="Key"
        name="key"
        value={key}
        onChange={(event) => changeKey(event.target.value)}
        placeholder={keyStays ? "The one in the vault stays" : "Paste your key"}
        hint="It goes to the vault of this computer, never to a file in clear."
      />
      <div className="grid gap-4 narrow:grid-cols-2">
        <Field
          label="Address"
          name="address"
          type="url"
          dir="ltr"
          required
          value={baseUrl}
          onChange={(event) => {
            setBaseUrl(event.target.value);
            setPresetId(idOf(event.target.value));
          }}
          placeholder="https://…/v1"
        />
        <Field
          label="Model"
          name="model"
          dir="ltr"
          spellCheck={false}
          value={model}
          onChange={(event) => setModel(event.target.value)}
          placeholder="The first it offers"
        />
      </div>
      {beside === undefined ? null : (
        <div className="grid items-start gap-4 narrow:grid-cols-2">
          <Field
            label="Name"
            name="name"
            dir="ltr"
            spellCheck={false}
            value={written ?? name}
            onChange={(event) => {
              setWritten(event.target.value);
              setUnfit(null);
            }}
            problem={unfit}
            hint="Tells several of one service apart."
          />
          <div className="narrow:pt-6.5">
            <Switch
              label="Takes over when those before do not answer"
              checked={fallback}
              onChange={setFallback}
            />
          </div>
        </div>
      )}
      <div className="grid gap-3">
        <button
          type="button"
          aria-expanded={advanced}
          onClick={() => setAdvanced(!advanced)}
          className="min-h-6 justify-self-start text-small text-neeli underline underline-offset-3"
        >
          Advanced
        </button>
        {advanced ? (
          <SelectField label="How it is spoken to" value={kind} onChange={setKind} options={kinds} />
        ) : null}
      </div>
      {error ? (
        <InlineError words={describeError(error, { provider: providerName(baseUrl), model: model.trim() })} />
      ) : null}
      <div>
        <Button type="submit" look="solid" disabled={configure.isPending}>
          {configure.isPending ? "Testing…" : submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** An address as the core compares it. */
function plain(baseUrl: string): string {
  return baseUrl.trim().replace(/\/+$/, "");
}

function idOf(baseUrl: string): string {
  return presets.find((preset) => preset.baseUrl !== "" && preset.baseUrl === baseUrl.trim())?.id ?? "other";
}

/** Puts the focus where the error can be mended. */
function focusCulprit(form: HTMLFormElement | null, code: string): void {
  const name =
    code === "keyRefused" || code === "keyMissing" || code === "noCredit"
      ? "key"
      : code === "modelNotFound"
        ? "model"
        : code === "unreachable" || code === "invalidInput" || code === "malformed"
          ? "address"
          : code === "configInvalid"
            ? "name"
            : null;
  if (name !== null) focusField(form, name);
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const input = form?.querySelector<HTMLInputElement>(`input[name=${name}]`);
  input?.focus();
  input?.select();
}
