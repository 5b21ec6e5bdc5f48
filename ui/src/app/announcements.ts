import { announce } from "@/components/Announcer";
import { describeError } from "@/lib/describeError";
import type { TurnEnvelope, TurnOutcome } from "@/protocol/bindings";
import { answerText, type TurnView } from "@/state";

const stepPauseMs = 4_000;

/** Tells people who listen what happens in the chat on screen. Never tokens. */
export function createAnnouncements(
  shown: () => string | null,
  viewOf: (envelope: TurnEnvelope) => TurnView | null,
) {
  let lastStep = 0;

  return (envelope: TurnEnvelope): void => {
    const { event, sessionId } = envelope;
    if (event.type === "approvalRequested") {
      announce(`Your turn: ${event.request.sentence}`, sessionId === shown() ? "assertive" : "polite");
      return;
    }
    if (sessionId !== shown()) return;
    switch (event.type) {
      case "turnStarted":
        announce("Working");
        return;
      case "toolCallFinished": {
        const now = Date.now();
        if (now - lastStep < stepPauseMs) return;
        lastStep = now;
        const step = viewOf(envelope)?.parts.find((part) => part.kind === "step" && part.id === event.callId);
        if (step?.kind === "step") announce(step.title.done);
        return;
      }
      case "continuedWith":
        announce(`Continued with ${event.model}`);
        return;
      case "turnFinished":
        announce(ending(viewOf(envelope), event.outcome));
        return;
      default:
        return;
    }
  };
}

function ending(view: TurnView | null, outcome: TurnOutcome): string {
  switch (outcome.type) {
    case "answered": {
      const words = view ? answerText(view).split(/\s+/).filter(Boolean).length : 0;
      return `Answer ready, ${words} ${words === 1 ? "word" : "words"}`;
    }
    case "cancelled":
      return "Stopped";
    case "failed":
      return `The answer failed. ${describeError(outcome.error).title}`;
    default:
      return "The answer ended early";
  }
}
