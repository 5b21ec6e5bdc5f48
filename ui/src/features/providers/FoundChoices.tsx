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
import type { FoundProvider, ProviderStatus } from "@/protocol/bindings";
import { queries, useConfigureProvider, useProviderStatus } from "@/state/queries";

type Props = { onConnected: (status: ProviderStatus) => void };

/** What was found without asking: servers on this computer and keys in the environment, ready to be used. */
export function FoundChoices({ onConnected }: Props) {
  const { data, isPending, isFetching, error, refetch } = useQuery(queries.found(usePlatform()));

  if (isPending) return <Skeleton label="Looking for models on this computer" rows={2} />;
  return (
    <div className="grid gap-3">
      {error ? <InlineError words={describeError(toApiError(error))} /> : null}
      {data && data.length > 0 ? (
        <ul aria-label="Found on this computer" className="grid gap-2">
          {data.map((found) => (
            <FoundRow key={`${found.kind} ${found.baseUrl}`} found={found} onConnected={onConnected} />
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

type RowProps = { found: FoundProvider; onConnected: (status: ProviderStatus) => void };

function FoundRow({ found, onConnected }: RowProps) {
  const { label, baseUrl, models, keyEnv } = found;
  const [model, setModel] = useState(models[0] ?? "");
  const configure = useConfigureProvider();
  const error = configure.error ? toApiError(configure.error) : null;
  const status = useProviderStatus().data;
  const inUse = status?.ready === true && status.baseUrl === baseUrl && status.model === model;
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
            onClick={() =>
              configure.mutate({ baseUrl, model, apiKey: null, keyEnv }, { onSuccess: onConnected })
            }
          >
            {configure.isPending ? "Testing…" : inUse ? "In use" : "Use this"}
          </Button>
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
