import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { actionLabels, describeError, type ErrorAction } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import type { ApiError, ConnectionView } from "@/protocol/bindings";
import { type Answerer, answering, type TurnView, useLive } from "@/state";
import { useConnections } from "@/state/queries";
import { useChatAnswerer } from "../answerer";
import { useChatControl } from "../control";
import { attemptsOf, mayRetryByItself } from "./attempts";
import { useRetryCountdown } from "./retryCountdown";

type Props = { sessionId: string; view: TurnView; error: ApiError; latest: boolean };

/** Why a turn failed, and the ways on. Its question can always be written anew. */
export function Failure({ sessionId, view, error, latest }: Props) {
  const live = useLive();
  const { fill, talkOnly, pickModel, focusComposer } = useChatControl();
  const connections = useConnections().data ?? [];
  const now = useChatAnswerer(sessionId);
  const retry = () => void live.retry(sessionId);
  const left = useRetryCountdown(latest ? dueAt(live.session(sessionId).turns(), view) : null, retry);
  const provider = labelOf(view, now, connections);
  const context = { model: answering(view), ...(provider === "" ? {} : { provider }) };
  const words = describeError(left === null ? error : { ...error, retryAfterMs: left * 1000 }, context);
  const actions: readonly ErrorAction[] = [
    ...words.actions.filter((action) => action !== "editQuestion"),
    "editQuestion",
  ];

  const toProviders = () => goTo({ to: "settings", page: "providers" });
  // Without any model there is nothing to pick from.
  const toModels = now?.model ? pickModel : toProviders;
  const run: Record<ErrorAction, () => void> = {
    retry: () => {
      // The button is about to leave the page.
      focusComposer();
      retry();
    },
    addKey: toProviders,
    replaceKey: toProviders,
    testKey: toProviders,
    useLocal: toProviders,
    pickModel: toModels,
    pickLarger: toModels,
    switchModel: toModels,
    openProviders: toProviders,
    openStatus: () => goTo({ to: "settings", page: "status" }),
    talkOnly: () => {
      focusComposer();
      talkOnly(view.userText, view.attachments);
    },
    newChat: () => goTo({ to: "new" }),
    editQuestion: () => fill(view.userText, view.attachments),
  };
  return (
    <InlineError
      role="note"
      words={left === null ? words : { ...words, hint: "Then it is tried again by itself." }}
    >
      {latest
        ? actions.map((action, index) => (
            <Button key={action} size="small" look={index === 0 ? "line" : "quiet"} onClick={run[action]}>
              {action === "retry" && left !== null ? "Try now" : actionLabels[action]}
            </Button>
          ))
        : null}
    </InlineError>
  );
}

/**
 * Who failed, as far as that can be told: a turn remembers its model, and the chat may be set to
 * another one since. Empty when nobody is known for that model, or several are.
 */
export function labelOf(
  view: TurnView,
  now: Answerer | null,
  connections: readonly ConnectionView[],
): string {
  if (view.takenOver) return view.takenOver.label;
  if (now?.model === view.model) return now.label;
  const labels = new Set(connections.filter(({ model }) => model === view.model).map(({ label }) => label));
  const [label = ""] = labels;
  return labels.size === 1 ? label : "";
}

/** When the question is asked again by itself; `null` when the person has to say so. */
function dueAt(turns: readonly TurnView[], view: TurnView): number | null {
  const { outcome, finishedAt } = view;
  if (outcome?.type !== "failed" || outcome.error.retryAfterMs === null || finishedAt === null) return null;
  return mayRetryByItself(attemptsOf(turns)) ? finishedAt + outcome.error.retryAfterMs : null;
}
