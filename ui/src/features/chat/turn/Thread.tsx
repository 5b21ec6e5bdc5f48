import { memo } from "react";
import { type StepPart, stepState, type ThinkingPart } from "@/state";
import { useKept } from "../log/memory";
import { duration } from "./clock";
import { StepRow } from "./StepRow";
import { Strand } from "./Strand";
import { ThinkingRow } from "./ThinkingRow";

type Row = StepPart | ThinkingPart;
type Props = { turnId: string; rows: readonly Row[]; running: boolean };

const MOST_FINISHED = 5;

/** Steps that follow each other: dots on one line. Many finished ones fold to the first and the last. */
export const Thread = memo(function Thread({ turnId, rows, running }: Props) {
  const [unfolded, setUnfolded] = useKept(`thread:${turnId}:${rows[0]?.id ?? ""}`, false);
  const folded = unfolded ? [] : foldable(rows);
  const hidden = new Set(folded.map((row) => row.id));
  const firstHidden = folded[0]?.id;
  return (
    <ol aria-label="Steps" className="text-small leading-snug">
      {rows.map((row, index) => {
        const ends = { first: index === 0, last: index === rows.length - 1 };
        if (row.id === firstHidden)
          return <FoldRow key="fold" rows={folded} onOpen={() => setUnfolded(true)} />;
        if (hidden.has(row.id)) return null;
        return row.kind === "step" ? (
          <StepRow key={row.id} step={row} {...ends} />
        ) : (
          <ThinkingRow key={row.id} turnId={turnId} part={row} running={running} {...ends} />
        );
      })}
    </ol>
  );
});

/** What may be hidden: finished steps between the first and the last finished one. */
function foldable(rows: readonly Row[]): readonly Row[] {
  const finished = rows.filter((row) => (row.kind === "step" ? row.outcome !== null : row.ended));
  if (finished.length <= MOST_FINISHED) return [];
  const firstOpen = rows.findIndex((row) => !finished.includes(row));
  // Only an unbroken run can become one row.
  const run = firstOpen < 0 ? rows : rows.slice(0, firstOpen);
  return run.length > MOST_FINISHED ? run.slice(1, -1) : [];
}

function FoldRow({ rows, onOpen }: { rows: readonly Row[]; onOpen: () => void }) {
  const steps = rows.filter((row) => row.kind === "step");
  const time = steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0);
  const failed = steps.filter((step) => stepState(step) === "failed").length;
  const words = [`${rows.length} more ${rows.length === 1 ? "step" : "steps"}`];
  if (time > 0) words.push(duration(time));
  if (failed > 0) words.push(`${failed} failed`);
  return (
    <li>
      <button
        type="button"
        aria-expanded={false}
        onClick={onOpen}
        className="flex min-h-7.5 w-full items-center gap-2 rounded-s text-start text-ink-2 hover:bg-hover/60"
      >
        <Strand look={failed > 0 ? "bad" : "done"} first={false} last={false} />
        {words.join(", ")}
      </button>
    </li>
  );
}
