import { useState } from "react";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { toApiError } from "@/platform/apiError";
import type { Platform } from "@/platform/platform";
import type { ApiError } from "@/protocol/bindings";

type Props = { failure: ApiError; platform: Platform; onStarted: () => void };

/** The core could not start: why, and the two things that can be done. Needs nothing of the core. */
export function StartFailed({ failure, platform, onStarted }: Props) {
  const [shown, setShown] = useState(failure);
  const [trying, setTrying] = useState(false);

  async function tryAgain(): Promise<void> {
    setTrying(true);
    try {
      const state = await platform.startAgain();
      if (state.failure === null) return onStarted();
      setShown(state.failure);
    } catch (thrown) {
      setShown(toApiError(thrown));
    }
    setTrying(false);
  }

  return (
    <main role="alert" className="grid h-full place-items-center overflow-auto bg-surface">
      <EmptyState
        title="The assistant could not start"
        action={
          <>
            <Button look="solid" disabled={trying} onClick={() => void tryAgain()}>
              {trying ? "Trying…" : "Try again"}
            </Button>
            <Button onClick={() => void platform.quit().catch(() => window.close())}>Quit</Button>
          </>
        }
      >
        <span className="block wrap-anywhere">{sentence(shown.message)}</span>
        {shown.hint ? <span className="mt-2 block wrap-anywhere">{shown.hint}</span> : null}
      </EmptyState>
    </main>
  );
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
