import type { ReactNode } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { actionLabels, describeError, type ErrorAction } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import type { ApiError, Limit } from "@/protocol/bindings";
import { type TurnView, useLive } from "@/state";
import { useProviderStatus } from "@/state/queries";
import { useChatControl } from "../control";
import { useRetryCountdown } from "./retryCountdown";

type Props = { sessionId: string; view: TurnView; latest: boolean };

const limitWords: Record<Limit, string> = {
  steps: "It took as many steps as one question may take, so it stopped here.",
  outputTokens: "The answer reached the longest length this model gives.",
  repetition: "The same step gave the same result three times, so it stopped.",
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
          next={outcome.limit === "repetition" ? ["instead", "retry"] : ["continue"]}
        />
      );
    case "failed":
      return <Failure sessionId={sessionId} view={view} error={outcome.error} latest={latest} />;
  }
}

type Next = "continue" | "retry" | "instead";
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

type FailureProps = { sessionId: string; view: TurnView; error: ApiError; latest: boolean };

function Failure({ sessionId, view, error, latest }: FailureProps) {
  const live = useLive();
  const { fill } = useChatControl();
  const provider = useProviderStatus().data;
  const retry = () => void live.retry(sessionId).catch(() => {});
  const left = useRetryCountdown(error.retryAfterMs, view.finishedAt, latest, retry);
  const context = { model: view.model, ...(provider?.label ? { provider: provider.label } : {}) };
  const shown = left === null ? error : { ...error, retryAfterMs: left * 1000 };
  const words = describeError(shown, context);

  const run: Record<ErrorAction, () => void> = {
    retry,
    addKey: () => goTo({ to: "settings", page: "providers" }),
    replaceKey: () => goTo({ to: "settings", page: "providers" }),
    pickModel: () => goTo({ to: "settings", page: "providers" }),
    openProviders: () => goTo({ to: "settings", page: "providers" }),
    openStatus: () => goTo({ to: "settings", page: "status" }),
    newChat: () => goTo({ to: "new" }),
    editQuestion: () => fill(view.userText),
  };
  return (
    <InlineError words={words}>
      {latest
        ? words.actions.map((action, index) => (
            <Button key={action} size="small" look={index === 0 ? "line" : "quiet"} onClick={run[action]}>
              {action === "retry" && left !== null ? "Try now" : actionLabels[action]}
            </Button>
          ))
        : null}
    </InlineError>
  );
}
