import type { ReactNode } from "react";
import { Button } from "@/components/Button";
import { goTo } from "@/lib/navigation";
import type { Limit } from "@/protocol/bindings";
import { type TurnView, useLive } from "@/state";
import { useChatControl } from "../control";
import { Failure } from "./Failure";

type Props = { sessionId: string; view: TurnView; latest: boolean };

const limitWords: Record<Limit, string> = {
  steps: "It took as many steps as one question may take, so it stopped here.",
  outputTokens: "The answer reached the longest length this model gives.",
  repetition: "The same step gave the same result three times, so it stopped.",
  spending: "It stopped so as not to spend more than you allowed.",
};

const limitNext: Record<Limit, readonly Next[]> = {
  steps: ["continue"],
  outputTokens: ["continue"],
  repetition: ["instead", "retry"],
  spending: ["goOn", "changeLimit"],
};

/** Why a turn ended, when it did not simply answer, and what can be done next. */
export function OutcomeLine({ sessionId, view, latest }: Props) {
  const { outcome } = view;
  switch (outcome?.type) {
    case undefined:
    case "answered":
      return null;
    case "cancelled":
      return (
        <Ended words="Stopped by you" sessionId={sessionId} latest={latest} next={["continue", "retry"]} />
      );
    case "interrupted":
      return (
        <Ended
          words="The program ended in the middle of this. What had arrived is kept."
          sessionId={sessionId}
          latest={latest}
          next={["continue", "retry"]}
        />
      );
    case "limitReached":
      return (
        <Ended
          words={limitWords[outcome.limit]}
          sessionId={sessionId}
          latest={latest}
          next={limitNext[outcome.limit]}
        />
      );
    case "failed":
      return <Failure sessionId={sessionId} view={view} error={outcome.error} latest={latest} />;
  }
}

type Next = "continue" | "retry" | "instead" | "goOn" | "changeLimit";
type EndedProps = { words: string; sessionId: string; latest: boolean; next: readonly Next[] };

function Ended({ words, sessionId, latest, next }: EndedProps) {
  const live = useLive();
  const { send, focusComposer } = useChatControl();
  const buttons: Record<Next, ReactNode> = {
    continue: (
      <Button key="continue" size="small" onClick={() => send("Continue")}>
        Continue
      </Button>
    ),
    retry: (
      <Button key="retry" size="small" look="quiet" onClick={() => void live.retry(sessionId)}>
        Try again
      </Button>
    ),
    goOn: (
      <Button key="goOn" size="small" onClick={() => send("Go on.", true)}>
        Go on anyway
      </Button>
    ),
    changeLimit: (
      <Button
        key="changeLimit"
        size="small"
        look="quiet"
        onClick={() => goTo({ to: "settings", page: "models" })}
      >
        Change the limit
      </Button>
    ),
    instead: (
      <Button key="instead" size="small" onClick={focusComposer}>
        Tell it what to do instead
      </Button>
    ),
  };
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-ink-2">
      <span>{words}</span>
      {latest ? <span className="flex gap-1.5">{next.map((which) => buttons[which])}</span> : null}
    </div>
  );
}
