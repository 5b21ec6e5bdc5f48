import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/Button";
import { FilterList } from "@/components/FilterList";
import { InlineError } from "@/components/InlineError";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import { subject } from "@/lib/sentence";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { ConnectionView } from "@/protocol/bindings";
import { queries, useConfigureProvider } from "@/state/queries";

type Props = { connection: ConnectionView; onDone: () => void };

/** Another model of a connection: from what it offers, or by name. Tested before it is kept. */
export function ChangeModel({ connection, onDone }: Props) {
  const { name, label, baseUrl, model, fallback } = connection;
  const { data, error, isPending } = useQuery(queries.models(usePlatform(), name));
  const configure = useConfigureProvider();
  const models = [...new Set([model, ...(data?.models ?? [])])].filter((offered) => offered !== "");

  function choose(next: string): void {
    if (next === model) {
      onDone();
      return;
    }
    configure.mutate(
      {
        connection: name,
        kind: null,
        baseUrl,
        model: next,
        apiKey: null,
        keyEnv: null,
        keepKey: false,
        fallback,
      },
      {
        onSuccess: (status) => {
          showToast(`${subject(label)} answers with ${status.model}`);
          onDone();
        },
      },
    );
  }

  return (
    <div className="grid gap-3">
      {isPending ? (
        <p role="status" className="text-small text-ink-3">
          Asking {label} what it offers…
        </p>
      ) : null}
      {error ? <InlineError words={describeError(toApiError(error), { provider: label })} /> : null}
      {data?.isFallback ? (
        <p className="text-small text-ink-2">
          The server did not say what it offers; these are known models. Another one can be written.
        </p>
      ) : null}
      <div className="flex max-h-72 flex-col overflow-hidden rounded-m border border-line">
        <FilterList
          label={`Model of ${label}`}
          groups={[
            {
              id: name,
              label: "Models",
              options: models.map((offered) => ({ value: offered, label: offered })),
            },
          ]}
          value={model}
          onChoose={choose}
          free={(written) =>
            models.includes(written) ? null : { value: written, label: `Use “${written}”` }
          }
        />
      </div>
      {configure.error ? (
        <InlineError
          words={describeError(toApiError(configure.error), {
            provider: label,
            ...(configure.variables ? { model: configure.variables.model } : {}),
          })}
        />
      ) : null}
      <div className="flex items-center gap-3">
        <Button size="small" onClick={onDone}>
          Keep {model}
        </Button>
        {configure.isPending ? (
          <span role="status" className="text-small text-ink-2">
            Testing {configure.variables.model}…
          </span>
        ) : null}
      </div>
    </div>
  );
}
