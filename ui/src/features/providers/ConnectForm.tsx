import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { Field } from "@/components/Field";
import { InlineError } from "@/components/InlineError";
import { SecretField } from "@/components/SecretField";
import { SelectField } from "@/components/SelectField";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ProviderStatus } from "@/protocol/bindings";
import { useConfigureProvider } from "@/state/queries";
import { presetOfKey, presets, providerName } from "./presets";

type Props = {
  /** What is set up now; a change begins from it. */
  current?: ProviderStatus | null;
  submitLabel: string;
  onConnected: (status: ProviderStatus) => void;
};

/** A service, its address, a key and a model: tested before anything is kept. */
export function ConnectForm({ current, submitLabel, onConnected }: Props) {
  const startUrl = current?.baseUrl || (presets[0]?.baseUrl ?? "");
  const [presetId, setPresetId] = useState(() => idOf(startUrl));
  const [baseUrl, setBaseUrl] = useState(startUrl);
  const [key, setKey] = useState("");
  const [model, setModel] = useState(current?.model ?? "");
  const form = useRef<HTMLFormElement>(null);
  const configure = useConfigureProvider();
  const error = configure.error ? toApiError(configure.error) : null;

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

  function submit(event: FormEvent): void {
    event.preventDefault();
    configure.mutate(
      { baseUrl: baseUrl.trim(), model: model.trim(), apiKey: key.trim() || null, keyEnv: null },
      {
        onSuccess: (status) => {
          setKey("");
          onConnected(status);
        },
        onError: (thrown) => focusCulprit(form.current, toApiError(thrown).code),
      },
    );
  }

  return (
    <form ref={form} onSubmit={submit} aria-label="Connect a model" className="grid gap-4">
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
        placeholder="Paste your key"
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
          : null;
  const input = name ? form?.querySelector<HTMLInputElement>(`input[name=${name}]`) : null;
  input?.focus();
  input?.select();
}
