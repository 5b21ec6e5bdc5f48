import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { LocalModels } from "@/features/localModels";
import { ConnectForm, ConnectionList, FoundChoices } from "@/features/providers";
import { describeError } from "@/lib/describeError";
import { subject } from "@/lib/sentence";
import { toApiError } from "@/platform/apiError";
import type { ConnectionView, ProviderStatus } from "@/protocol/bindings";
import { useConnections } from "@/state/queries";

/** Who answers, who takes over, and how to change it. */
export function ProvidersPage() {
  const { data: connections, error } = useConnections();
  const [adding, setAdding] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);

  function connected({ label, model }: ProviderStatus): void {
    setAdding(false);
    showToast(`${subject(label)} answers with ${model}`);
  }

  if (error) return <InlineError words={describeError(toApiError(error))} />;
  if (!connections) return <Skeleton label="Loading providers" rows={4} />;

  const isNew = connections.length === 0;
  return (
    <div className="grid gap-8">
      <section aria-labelledby="now-title" className="grid gap-4">
        <div className="grid gap-1">
          <h2 ref={title} tabIndex={-1} id="now-title" className="text-title font-mid outline-none">
            Providers
          </h2>
          <p className="text-pretty text-ink-2">{whoAnswers(connections)}</p>
        </div>
        <ConnectionList connections={connections} above={title} />
        {isNew || adding ? null : (
          <div>
            <Button
              onClick={() => setAdding(true)}
              icon={<Plus aria-hidden="true" className="size-4 text-ink-3" />}
            >
              Add another connection
            </Button>
          </div>
        )}
      </section>
      {isNew || adding ? (
        <section aria-labelledby="key-title" className="grid gap-4 border-t border-line pt-6">
          <header className="flex items-center gap-2">
            <h3 id="key-title" className="grow text-lead font-mid">
              {isNew ? "With a key" : "Another connection"}
            </h3>
            {isNew ? null : (
              <Button size="small" look="quiet" onClick={() => setAdding(false)}>
                Not now
              </Button>
            )}
          </header>
          <ConnectForm
            {...(isNew ? {} : { beside: connections.map(({ name }) => name) })}
            submitLabel={isNew ? "Test and use" : "Test and add"}
            onConnected={connected}
          />
        </section>
      ) : null}
      <section aria-labelledby="found-title" className="grid gap-3 border-t border-line pt-6">
        <h3 id="found-title" className="text-lead font-mid">
          On this computer
        </h3>
        <FoundChoices beside={connections} onConnected={connected} />
      </section>
      <section aria-labelledby="local-title" className="grid gap-3 border-t border-line pt-6">
        <h3 id="local-title" className="text-lead font-mid">
          Models on this computer
        </h3>
        <p className="text-pretty text-ink-2">
          One of these is asked without a key, and what you write stays here.
        </p>
        <LocalModels onUsed={connected} />
      </section>
    </div>
  );
}

function whoAnswers(connections: readonly ConnectionView[]): string {
  const [first, ...others] = connections;
  if (!first) return "There is no model to ask yet.";
  const { label, model, local } = first;
  const where = local ? "What you write stays on this computer." : `What you write goes to ${label}.`;
  const next = others.filter(({ fallback }) => fallback).map((other) => other.label);
  const then =
    next.length === 0 ? "" : ` When it does not answer, ${[...new Set(next)].join(", then ")} takes over.`;
  return `${subject(label)} answers with ${model}. ${where}${then}`;
}
