import { HardDriveDownload } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/Button";
import { Mark } from "@/components/Mark";
import { Page } from "@/components/Page";
import { LocalModels } from "@/features/localModels";
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

type ChoiceProps = { onConnected: (status: ProviderStatus) => void };

function Brain({ onConnected }: ChoiceProps) {
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
        <BringOne onConnected={onConnected} />
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

/** Without a server and without a key: a model is fetched and runs here. */
function BringOne({ onConnected }: ChoiceProps) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  return (
    <div className="grid gap-4 rounded-l border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-3">
        <HardDriveDownload aria-hidden="true" className="size-4.5 shrink-0 text-ink-3" />
        <div className="min-w-50 grow basis-0">
          <h3 className="font-mid">Use a model on this computer</h3>
          <p className="text-small text-pretty text-ink-3">
            It is fetched once and runs here, without a key. What you write stays on this computer.
          </p>
        </div>
        <Button aria-expanded={open} aria-controls={panel} onClick={() => setOpen(!open)}>
          {open ? "Hide models" : "Show models"}
        </Button>
      </div>
      <div id={panel} hidden={!open}>
        {open ? <LocalModels onUsed={onConnected} /> : null}
      </div>
    </div>
  );
}
