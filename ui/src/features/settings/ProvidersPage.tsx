import { useState } from "react";
import { InlineError } from "@/components/InlineError";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { ConnectForm, FoundChoices } from "@/features/providers";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ProviderStatus } from "@/protocol/bindings";
import { useProviderStatus, useSetModel } from "@/state/queries";
import { SettingRow } from "./SettingRow";
import { TextSetting } from "./TextSetting";

/** What answers now, and how to change it. */
export function ProvidersPage() {
  const { data: status, error } = useProviderStatus();
  const setModel = useSetModel();
  const [changes, setChanges] = useState(0);

  function connected({ label, model }: ProviderStatus): void {
    setChanges((count) => count + 1);
    showToast(`${label} answers with ${model}`);
  }

  if (error) return <InlineError words={describeError(toApiError(error))} />;
  if (!status) return <Skeleton label="Loading providers" rows={4} />;

  return (
    <div className="grid gap-8">
      <section aria-labelledby="now-title" className="grid gap-3">
        <h2 id="now-title" className="text-title font-mid">
          Providers
        </h2>
        {status.ready ? (
          <p className="text-ink-2">
            <strong className="font-mid text-ink">{status.label}</strong> answers with{" "}
            <bdi className="text-ink">{status.model}</bdi>.{" "}
            {status.local
              ? "What you write stays on this computer."
              : `What you write goes to ${status.label}.`}
          </p>
        ) : null}
        {status.baseUrl !== "" ? (
          <SettingRow
            title="Model"
            hint="Another one of the same provider; it counts from the next question."
          >
            <TextSetting
              label="Model in use"
              value={status.model}
              onKeep={(model) => {
                if (model !== "") setModel.mutate(model);
              }}
            />
          </SettingRow>
        ) : null}
        {setModel.error ? <InlineError words={describeError(toApiError(setModel.error))} /> : null}
        {status.problem ? (
          <InlineError
            words={describeError(status.problem, { provider: status.label, model: status.model })}
          />
        ) : null}
      </section>
      <section aria-labelledby="found-title" className="grid gap-3">
        <h3 id="found-title" className="text-lead font-mid">
          On this computer
        </h3>
        <FoundChoices onConnected={connected} />
      </section>
      <section aria-labelledby="key-title" className="grid gap-4 border-t border-line pt-6">
        <h3 id="key-title" className="text-lead font-mid">
          With a key
        </h3>
        <ConnectForm
          key={changes}
          current={status.local ? null : status}
          submitLabel="Test and use"
          onConnected={connected}
        />
      </section>
    </div>
  );
}
