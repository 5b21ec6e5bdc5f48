import { useQuery } from "@tanstack/react-query";
import { Cpu, KeyRound } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { SelectField } from "@/components/SelectField";
import { Skeleton } from "@/components/Skeleton";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { ConnectionView, FoundProvider, ProviderStatus } from "@/protocol/bindings";
import { queries, useConfigureProvider, useProviderStatus } from "@/state/queries";
import { freeName, useOrder } from "./connections";

type Props = {
  /** What is set up already: a choice becomes the first of them. */
  beside?: readonly ConnectionView[];
  onConnected: (status: ProviderStatus) => void;
};

/** What was found without asking: servers on this computer and keys in the environment, ready to be used. */
export function FoundChoices({ beside = [], onConnected }: Props) {
  const { data, isPending, isFetching, error, refetch } = useQuery(queries.found(usePlatform()));

  if (isPending) return <Skeleton label="Looking for models on this computer" rows={2} />;
  return (
    <div className="grid gap-3">
      {error ? <InlineError words={describeError(toApiError(error))} /> : null}
      {data && data.length > 0 ? (
        <ul aria-label="Found on this computer" className="grid gap-2">
          {data.map((found) => (
            <FoundRow
              key={`${found.kind} ${found.baseUrl}`}
              found={found}
              beside={beside}
              onConnected={onConnected}
            />
          ))}
        </ul>
      ) : null}
      <div className="flex items-center gap-3 text-small text-ink-3">
        {data?.length === 0 ? (
          <span>No model server runs here, and there is no key in the environment.</span>
        ) : null}
        <Button size="small" look="quiet" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? "Looking…" : "Look again"}
        </Button>
      </div>
    </div>
  );
}

type RowProps = Required<Props> & { found: FoundProvider };

function FoundRow({ found, beside, onConnected }: RowProps) {
  const { label, baseUrl, models, keyEnv } = found;
  const [model, setModel] = useState(models[0] ?? "");
  const configure = useConfigureProvider();
  const order = useOrder();
  const failed = configure.error ?? order.error;
  const error = failed ? toApiError(failed) : null;
  const status = useProviderStatus().data;
  const inUse = status?.ready === true && status.baseUrl === baseUrl && status.model === model;
  const names = beside.map(({ name }) => name);
  const listed = beside.find(
    (other) => other.baseUrl === baseUrl && (other.key === "environment") === (keyEnv !== null),
  );

  async function use(keepKey: boolean): Promise<void> {
    const connection = listed?.name ?? (names.length === 0 ? null : freeName(label, names));
    const status = await configure.mutateAsync({
      connection,
      kind: null,
      baseUrl,
      model,
      apiKey: null,
      keyEnv,
      keepKey,
      fallback: listed?.fallback ?? false,
    });
    if (connection !== null) {
      await order.mutateAsync([connection, ...names.filter((name) => name !== connection)]);
    }
    onConnected(status);
  }

  const Icon = keyEnv ? KeyRound : Cpu;

  return (
    <li className="grid gap-3 rounded-l border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-3">
        <Icon aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
        <div className="min-w-50 grow basis-0">
          <p className="font-mid">{label}</p>
          <p className="text-small text-ink-3">{factOf(found)}</p>
        </div>
        <div className="flex items-center gap-2">
          {models.length > 1 ? (
            <SelectField
              bare
              label={`Model of ${label}`}
              value={model}
              onChange={setModel}
              options={models.map((name) => ({ value: name, label: name }))}
              className="w-40"
            />
          ) : null}
          <Button
            look="solid"
            disabled={configure.isPending || inUse}
            aria-label={inUse ? `${label} is in use` : `Use ${label}`}
            // What went wrong is shown below.
            onClick={() => void use(false).catch(() => {})}
          >
            {configure.isPending ? "Testing…" : inUse ? "In use" : "Use this"}
          </Button>
          {keyEnv ? (
            <Button
              look="quiet"
              disabled={configure.isPending}
              onClick={() => void use(true).catch(() => {})}
            >
              Use, and keep its key in the vault
            </Button>
          ) : null}
        </div>
      </div>
      {error ? <InlineError words={describeError(error, { provider: label, model })} /> : null}
    </li>
  );
}

function factOf({ models, keyEnv, baseUrl }: FoundProvider): string {
  const where = keyEnv ? `key in ${keyEnv}` : "on this computer";
  const first = models[0];
  if (first === undefined) return keyEnv ? where : `${where}, but it offers no model yet (${baseUrl})`;
  return models.length === 1 ? `${first}, ${where}` : `${models.length} models, ${where}; ${first} suggested`;
}
