import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { type PendingMessage, useLive } from "@/state";
import { useProviderStatus } from "@/state/queries";
import { questionWords } from "../attachments/limits";
import { useChatControl } from "../control";
import { Bubble } from "./Bubble";
import { Strand } from "./Strand";

type Props = { sessionId: string | null; message: PendingMessage };

/** A message that the core has not taken yet: shown at once, kept whatever happens. */
export function PendingTurn({ sessionId, message }: Props) {
  const live = useLive();
  const { fill } = useChatControl();
  const provider = useProviderStatus().data;
  const { state, localId, text, attachments } = message;
  const again = () => {
    void live.resend(sessionId, localId).then((born) => {
      if (sessionId === null && born !== null) goTo({ to: "session", sessionId: born });
    });
  };
  const edit = () => {
    const back = live.discardPending(sessionId, localId);
    if (back) fill(back.text, back.attachments);
  };

  return (
    <article
      aria-label={`You asked: ${questionWords(text, attachments).slice(0, 120)}`}
      className="flex flex-col gap-5.5"
    >
      <Bubble text={text} attachments={attachments} faded={state.type === "offline"}>
        {state.type === "offline" ? (
          <span className="flex items-center gap-2 text-micro text-ink-3">
            Goes when you're back online
            <Button size="small" look="quiet" onClick={again}>
              Send anyway
            </Button>
          </span>
        ) : null}
      </Bubble>
      {state.type === "sending" ? (
        <p className="flex min-h-7.5 items-center" data-waiting="first">
          <Strand look="now" first last />
          <span className="sr-only">Sending</span>
        </p>
      ) : null}
      {state.type === "failed" ? (
        <InlineError words={describeError(state.error, provider?.label ? { provider: provider.label } : {})}>
          <Button size="small" onClick={again}>
            Try again
          </Button>
          <Button size="small" look="quiet" onClick={edit}>
            Edit
          </Button>
          {state.error.code === "notConfigured" ||
          state.error.code === "keyMissing" ||
          state.error.code === "keyRefused" ? (
            <Button size="small" look="quiet" onClick={() => goTo({ to: "settings", page: "providers" })}>
              Open providers
            </Button>
          ) : null}
        </InlineError>
      ) : null}
    </article>
  );
}
