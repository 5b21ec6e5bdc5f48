import { Tooltip } from "@/components/Tooltip";
import { exact, rough } from "@/lib/tokenCount";
import type { SessionId } from "@/protocol/bindings";
import { useContextFill, useSession } from "@/state";

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;
const FULLER = 0.7;
const NEARLY_FULL = 0.9;

/** How much of the model's context the last request filled. Nothing while nobody knows how much there is. */
export function ContextMeter({ sessionId }: { sessionId: SessionId }) {
  const { turnIds } = useSession(sessionId);
  const last = useContextFill(sessionId, turnIds.at(-1) ?? null);
  // A turn that has only begun was not measured yet.
  const before = useContextFill(sessionId, turnIds.at(-2) ?? null);
  const fill = last ?? before;
  if (!fill?.window) return null;
  const { tokens, window } = fill;
  const part = Math.min(1, tokens / window);
  const percent = Math.round(part * 100);
  const words = `${exact(tokens)} of ${exact(window)} tokens of the model's context, ${percent} %`;
  const ring = (
    // biome-ignore lint/a11y/useSemanticElements: the element of this name cannot be drawn as a ring
    <div
      role="meter"
      aria-label="Context used"
      aria-valuenow={tokens}
      aria-valuemin={0}
      aria-valuemax={window}
      aria-valuetext={words}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its numbers are for the keyboard, too
      tabIndex={0}
      className="flex h-7 shrink-0 items-center gap-1.75 rounded-s px-2 text-micro text-ink-3"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 -rotate-90" fill="none" strokeWidth={2.4}>
        <circle cx={8} cy={8} r={RADIUS} className="stroke-line-strong" />
        <circle
          cx={8}
          cy={8}
          r={RADIUS}
          strokeLinecap="round"
          strokeDasharray={`${part * ROUND} ${ROUND}`}
          className={part < FULLER ? "stroke-ink-3" : "stroke-neeli"}
        />
      </svg>
      <span className="max-narrow:sr-only">
        {part < NEARLY_FULL ? `${rough(tokens)} of ${rough(window)}` : "Nearly full"}
      </span>
    </div>
  );
  return <Tooltip text={words}>{ring}</Tooltip>;
}
