import { ChevronRight } from "lucide-react";
import { memo, useId } from "react";
import { classes } from "@/lib/classes";
import { type StepPart, type StepState, stepState } from "@/state";
import { useKept } from "../log/memory";
import { duration, stopwatch, useSecondsSince } from "./clock";
import { StepDetails } from "./StepDetails";
import { Strand, type StrandLook } from "./Strand";

type Props = { step: StepPart; first: boolean; last: boolean };

const looks: Record<StepState, StrandLook> = {
  waiting: "turn",
  running: "now",
  succeeded: "done",
  failed: "bad",
  declined: "done",
  interrupted: "done",
};

/** One tool call: its dot, what was done in the person's words, a fact, how long. Opens to the whole of it. */
export const StepRow = memo(function StepRow({ step, first, last }: Props) {
  const [open, setOpen] = useKept(`step:${step.id}`, false);
  const details = useId();
  const state = stepState(step);
  const ran = state === "succeeded" || state === "failed";
  const seconds = useSecondsSince(step.startedAt, state === "running");
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? details : undefined}
        onClick={() => setOpen(!open)}
        className="group/step flex min-h-7.5 w-full items-center gap-2 rounded-s pe-1.5 text-start text-ink-2 hover:bg-hover/60"
      >
        <Strand look={looks[state]} first={first} last={last} />
        <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-2">
          <span
            dir="auto"
            className={classes("font-mid", state === "waiting" ? "text-turn-text" : "text-ink")}
          >
            {titleOf(step, state)}
          </span>
          <Fact step={step} state={state} />
        </span>
        <ChevronRight
          aria-hidden="true"
          className={classes(
            "size-3.5 shrink-0 text-ink-3 transition-transform duration-(--d-move)",
            open
              ? "rotate-90"
              : "opacity-0 group-hover/step:opacity-100 group-focus-visible/step:opacity-100 rtl:rotate-180",
          )}
        />
        <time className="shrink-0 text-micro text-ink-3">
          {state === "running" ? stopwatch(seconds) : null}
          {ran && step.durationMs !== null && step.durationMs > 0 ? duration(step.durationMs) : null}
        </time>
      </button>
      {open ? <StepDetails id={details} step={step} /> : null}
    </li>
  );
});

/** "Moved 3 files" only when they were moved. */
function titleOf(step: StepPart, state: StepState): string {
  if (state === "succeeded") return step.title.done;
  return (state === "declined" && step.approval?.request.sentence) || step.title.doing;
}

function Fact({ step, state }: { step: StepPart; state: StepState }) {
  const answer = step.approval?.answer;
  const words = factOf(step, state);
  return (
    <>
      {words ? (
        <span dir="auto" className={state === "failed" ? "text-danger" : "text-ink-3"}>
          {words}
        </span>
      ) : null}
      {answer?.type === "allowed" ? (
        <span className="text-ink-3">
          {answer.scope === "once" ? "You allowed this once." : "You allowed this in this chat."}
        </span>
      ) : null}
    </>
  );
}

function factOf(step: StepPart, state: StepState): string | null {
  switch (state) {
    case "waiting":
      return "waiting for you";
    case "running":
      return step.progress.trimEnd().split("\n").at(-1)?.slice(-120) || null;
    case "succeeded":
      return step.fact;
    case "failed":
      return step.outcome?.type === "failed" ? step.outcome.message : step.fact;
    case "declined":
      return declinedWords(step);
    case "interrupted":
      return "stopped";
  }
}

function declinedWords(step: StepPart): string {
  const answer = step.approval?.answer;
  if (answer?.type === "declined") return answer.note ? `You said no: “${answer.note}”` : "You said no.";
  return step.outcome?.type === "declined" ? `Not done: ${step.outcome.reason}` : "Not done";
}
