import {
  Eye,
  FolderOutput,
  Globe,
  type LucideIcon,
  NotebookPen,
  PenLine,
  ShieldQuestion,
  Terminal,
  Trash2,
  Undo2,
} from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { Kbd } from "@/components/Kbd";
import { Segmented } from "@/components/Segmented";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import { isImeKey } from "@/lib/ime";
import { ScrollBox } from "@/lib/markdown";
import { toApiError } from "@/platform/apiError";
import type {
  ApiError,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalScope,
  Preview,
} from "@/protocol/bindings";
import { useLive } from "@/state";
import { useChatControl } from "../control";
import { mayTakeFocus, useArming } from "./arming";
import { DeclineLine } from "./DeclineLine";
import { ExactArguments } from "./ExactArguments";
import { PreviewBody } from "./PreviewBody";

type Props = {
  request: ApprovalRequest;
  /** What would run changed after it was shown. */
  askedAgain: boolean;
};

const icons: Record<Preview["type"], LucideIcon> = {
  none: ShieldQuestion,
  diff: PenLine,
  command: Terminal,
  moves: FolderOutput,
  request: Globe,
  paths: Trash2,
  facts: NotebookPen,
};

const scopeLabels: Record<ApprovalScope, string> = { once: "this once", session: "in this chat" };

/** A question about one call: the thing itself, and two ways to answer. Waits as long as it takes. */
export const ApprovalCard = memo(function ApprovalCard({ request, askedAgain }: Props) {
  const live = useLive();
  const { isComposerEmpty, focusComposer } = useChatControl();
  const card = useRef<HTMLElement>(null);
  const beginning = useRef<HTMLSpanElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const { armed, beginningUnseen } = useArming(beginning, end);
  const title = useId();
  const { approvalId, payloadHash, preview, scopes } = request;
  const [scope, setScope] = useState<ApprovalScope>(scopes[0] ?? "once");
  const [exact, setExact] = useState(preview.type === "none");
  const [declining, setDeclining] = useState(false);
  const [answering, setAnswering] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const ready = armed && !answering;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears; later the focus is the person's
  useEffect(() => {
    if (mayTakeFocus(isComposerEmpty())) card.current?.focus({ preventScroll: true });
  }, []);

  // Before the card leaves the page: the next thing to do is to write.
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement)) focusComposer();
    };
  }, [focusComposer]);

  const answer = async (decision: ApprovalDecision) => {
    if (!ready) return;
    setAnswering(true);
    setProblem(null);
    try {
      await live.resolveApproval({ approvalId, payloadHash, decision });
    } catch (thrown) {
      setProblem(toApiError(thrown));
      setAnswering(false);
    }
  };
  const allow = () => answer({ type: "allow", scope });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isImeKey(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    const writing = target instanceof HTMLInputElement && target.type === "text";
    if (writing || declining) return;
    const act = keyAction(key, scopes);
    if (!act) return;
    if (!ready) {
      event.preventDefault();
      return;
    }
    // A focused button, tab or box keeps its own Enter.
    const own = target instanceof HTMLElement && target.closest("button:not([role=radio]), pre") !== null;
    if (act.type === "allow" && own) return;
    event.preventDefault();
    if (act.type === "allow") void allow();
    else if (act.type === "decline") setDeclining(true);
    else if (act.type === "exact") setExact(!exact);
    else setScope(act.scope);
  };

  const looks = request.effects.length > 0 && request.effects.every((effect) => effect.type === "readFile");
  const Icon = looks ? Eye : icons[preview.type];
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-labelledby={title}
      aria-describedby={`${title}-undo`}
      data-approval={approvalId}
      onKeyDown={onKeyDown}
      className="group/card overflow-hidden rounded-l border-[1.5px] border-turn-line bg-turn-wash shadow-2"
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4.5 pt-3.25 pb-2.75">
        <span ref={beginning} aria-hidden="true" className="size-4 shrink-0">
          <Icon className="size-4" />
        </span>
        <h3
          id={title}
          dir="auto"
          className="min-w-0 grow text-read leading-snug font-strong [overflow-wrap:anywhere]"
        >
          <span className="sr-only">Your turn: </span>
          {request.sentence}
        </h3>
        <p
          id={`${title}-undo`}
          className={classes(
            "flex items-center gap-1.5 text-micro",
            request.undo === null ? "font-mid text-danger" : "text-ok",
          )}
        >
          {request.undo === null ? null : <Undo2 aria-hidden="true" className="size-3.5" />}
          {request.undo ?? "Cannot be undone"}
        </p>
        <Reasons request={request} askedAgain={askedAgain} />
      </header>
      <div className="grid gap-2 border-y border-turn-line bg-raised px-4.5 py-2.25">
        {preview.type === "none" ? null : (
          <ScrollBox aria-label="What it would do" className="max-h-100 overflow-y-auto">
            <PreviewBody preview={preview} />
          </ScrollBox>
        )}
        <button
          type="button"
          aria-expanded={exact}
          onClick={() => setExact(!exact)}
          className="min-h-6 justify-self-start text-small text-neeli underline underline-offset-3"
        >
          {exact ? "Hide exact arguments" : "Exact arguments"}
        </button>
        {exact ? <ExactArguments tool={request.tool} input={request.input} /> : null}
      </div>
      {problem ? (
        <div className="px-4.5 pt-3">
          <InlineError words={describeError(problem)} />
        </div>
      ) : null}
      <footer className="px-4.5 pt-3">
        {beginningUnseen ? (
          <button
            type="button"
            onClick={() => {
              // This button leaves once the beginning was seen; the keys of the card stay.
              card.current?.focus({ preventScroll: true });
              card.current?.scrollIntoView({ block: "start" });
            }}
            className="mb-2.5 min-h-6 text-small text-neeli underline underline-offset-3"
          >
            Show its beginning first
          </button>
        ) : null}
        {declining ? (
          <DeclineLine
            disabled={!ready}
            onDecline={(note) => void answer({ type: "decline", note })}
            onBack={() => {
              setDeclining(false);
              card.current?.focus({ preventScroll: true });
            }}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-2.5">
            <Button
              look="turn"
              data-allow=""
              aria-disabled={!ready}
              onClick={() => void allow()}
              className={ready ? "" : "opacity-55"}
            >
              Allow
              <Kbd plain className={allowKeyClass}>
                ↵
              </Kbd>
            </Button>
            {scopes.length > 1 ? (
              <Segmented
                label="How far this permission reaches"
                value={scope}
                onChange={setScope}
                options={scopes.map((value) => ({ value, label: scopeLabels[value] }))}
              />
            ) : (
              <span className="text-small text-ink-2">{scopeLabels[scope]}</span>
            )}
            <span className="grow" />
            <Button
              aria-disabled={!ready}
              onClick={() => {
                if (ready) setDeclining(true);
              }}
            >
              Don't
              <Kbd className="invisible group-focus-within/card:visible">Esc</Kbd>
            </Button>
          </div>
        )}
        <span ref={end} aria-hidden="true" className="block h-3.25" />
      </footer>
    </section>
  );
});

/** Enter allows while the card, its scopes or this button have the focus; only then it says so. The place is kept: what moves under the pointer is missed. */
const allowKeyClass =
  "invisible group-focus/card:visible group-has-[[data-allow]:focus]/card:visible group-has-[[role=radio]:focus]/card:visible";

type Act =
  | { type: "allow" }
  | { type: "decline" }
  | { type: "exact" }
  | { type: "scope"; scope: ApprovalScope };

function keyAction(key: string, scopes: readonly ApprovalScope[]): Act | null {
  if (key === "Enter") return { type: "allow" };
  if (key === "Escape") return { type: "decline" };
  if (key === "d" || key === "D") return { type: "exact" };
  const scope = /^[1-9]$/.test(key) ? scopes[Number(key) - 1] : undefined;
  return scope === undefined ? null : { type: "scope", scope };
}

function Reasons({ request, askedAgain }: Props) {
  const lines = [...request.reasons, ...(request.sandbox === null ? [] : [request.sandbox])];
  if (lines.length === 0 && !askedAgain) return null;
  return (
    <div className="w-full text-small text-ink-2">
      {askedAgain ? (
        <p role="alert" className="font-mid text-danger">
          The action changed after you saw it, so it did not run. This is what would run now.
        </p>
      ) : null}
      {lines.map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </div>
  );
}
