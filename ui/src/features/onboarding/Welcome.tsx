import { useState } from "react";
import { Button } from "@/components/Button";
import { Mark } from "@/components/Mark";
import { Page } from "@/components/Page";
import { ConnectForm, FoundChoices } from "@/features/providers";
import { goTo } from "@/lib/navigation";
import { noteWelcomed } from "@/lib/welcomed";
import type { ProviderStatus } from "@/protocol/bindings";
import { FirstQuestion } from "./FirstQuestion";

/** The first start: a model to ask, then the first question. Every step can be left. */
export function Welcome() {
  const [connected, setConnected] = useState<ProviderStatus | null>(null);

  function leave(): void {
    noteWelcomed();
    goTo({ to: "new" });
  }

  return (
    <Page
      title={null}
      actions={
        <Button size="small" look="quiet" onClick={leave}>
          Not now
        </Button>
      }
    >
      <div className="overflow-y-auto">
        <div className="mx-auto grid w-full max-w-140 gap-8 px-6 pt-10 pb-14">
          <Mark drawn className="size-14" />
          {connected ? (
            <FirstQuestion provider={connected} onDone={noteWelcomed} onLeave={leave} />
          ) : (
            <Brain onConnected={setConnected} />
          )}
        </div>
      </div>
    </Page>
  );
}

function Brain({ onConnected }: { onConnected: (status: ProviderStatus) => void }) {
  return (
    <>
      <header className="grid gap-2">
        <h1 className="text-display font-mid">Which model shall answer?</h1>
        <p className="text-read text-pretty text-ink-2">
          The assistant needs a language model: one that runs on this computer, or a service you have a key
          for. You can change it at any time.
        </p>
      </header>
      <section aria-labelledby="found-title" className="grid gap-3">
        <h2 id="found-title" className="text-lead font-mid">
          On this computer
        </h2>
        <FoundChoices onConnected={onConnected} />
      </section>
      <section aria-labelledby="key-title" className="grid gap-4 border-t border-line pt-8">
        <h2 id="key-title" className="text-lead font-mid">
          With a key
        </h2>
        <ConnectForm submitLabel="Test and use" onConnected={onConnected} />
      </section>
    </>
  );
}
