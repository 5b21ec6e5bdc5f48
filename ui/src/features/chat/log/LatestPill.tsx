import { ArrowDown } from "lucide-react";
import { TurnDot } from "@/components/TurnDot";
import { useTurn } from "@/state";
import { openQuestion } from "../turn/groups";

type Props = { sessionId: string | null; turnId: string | null; onLatest: () => void };

/** Leads back to the end. Says so when something there waits for the person. */
export function LatestPill({ sessionId, turnId, onLatest }: Props) {
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 z-(--z-sticky) flex justify-center">
      <button
        type="button"
        onClick={onLatest}
        className="pointer-events-auto flex h-8 items-center gap-2 rounded-full border border-line-strong bg-raised px-3.5 text-small text-ink shadow-2 hover:bg-hover"
      >
        {sessionId !== null && turnId !== null ? <WaitingSign sessionId={sessionId} turnId={turnId} /> : null}
        Latest
        <ArrowDown aria-hidden="true" className="size-3.5" />
      </button>
    </div>
  );
}

function WaitingSign({ sessionId, turnId }: { sessionId: string; turnId: string }) {
  const view = useTurn(sessionId, turnId);
  if (!view || !openQuestion(view)) return null;
  return (
    <span className="flex items-center gap-2 font-mid text-turn-text">
      <TurnDot />
      Your turn
    </span>
  );
}
