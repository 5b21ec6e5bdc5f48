import { ChevronRight } from "lucide-react";
import { memo, useEffect, useId, useState } from "react";
import { classes } from "@/lib/classes";
import type { ThinkingPart } from "@/state";
import { useKept } from "../log/memory";
import { useSecondsSince } from "./clock";
import { Strand } from "./Strand";

type Props = { turnId: string; part: ThinkingPart; running: boolean; first: boolean; last: boolean };

/** How long it thought, for what was seen while it happened. */
const seen = new Map<string, { from: number; to: number | null }>();

/** The model's reasoning: closed, and never opened or closed by us. */
export const ThinkingRow = memo(function ThinkingRow({ turnId, part, running, first, last }: Props) {
  const key = `thinking:${turnId}:${part.id}`;
  const [open, setOpen] = useKept(key, false);
  const thinking = running && !part.ended;
  const [mounted] = useState(Date.now);
  const content = useId();

  useEffect(() => {
    const span = seen.get(key);
    if (thinking && !span) seen.set(key, { from: Date.now(), to: null });
    if (!thinking && span && span.to === null) seen.set(key, { ...span, to: Date.now() });
  }, [key, thinking]);

  const span = seen.get(key);
  const seconds = useSecondsSince(span?.from ?? mounted, thinking);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? content : undefined}
        onClick={() => setOpen(!open)}
        className="group/step flex min-h-7.5 w-full items-center gap-2 rounded-s pe-1.5 text-start hover:bg-hover/60"
      >
        <Strand look={thinking ? "now" : "done"} first={first} last={last} />
        <span className="grow font-mid text-ink">{words(thinking, seconds, span)}</span>
        <ChevronRight
          aria-hidden="true"
          className={classes("size-3.5 text-ink-3", open ? "rotate-90" : "rtl:rotate-180")}
        />
      </button>
      {open ? (
        <p
          id={content}
          dir="auto"
          className="ms-8.5 mt-1 mb-2 max-h-100 overflow-auto rounded-m bg-sunken p-3.5 whitespace-pre-wrap text-ink-2"
        >
          {part.text}
        </p>
      ) : null}
    </li>
  );
});

function words(
  thinking: boolean,
  seconds: number,
  span: { from: number; to: number | null } | undefined,
): string {
  if (thinking) return seconds < 2 ? "Thinking" : `Thinking, ${seconds} s`;
  if (!span) return "Thought about it";
  const thought = Math.round(((span.to ?? Date.now()) - span.from) / 1000);
  return thought < 1 ? "Thought briefly" : `Thought for ${thought} s`;
}
