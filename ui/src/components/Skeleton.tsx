import { classes } from "@/lib/classes";

type Props = { label: string; rows?: number; className?: string };

const widths = ["w-11/12", "w-3/4", "w-5/6"] as const;

/** Rows that stand for content on its way. Appears only after 200 ms, so quick loads do not flash. */
export function Skeleton({ label, rows = 3, className }: Props) {
  return (
    <div role="status" aria-label={label} className={classes("appear-late grid gap-3", className)}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} className={classes("h-3.5 rounded-s bg-press", widths[row % widths.length])} />
      ))}
    </div>
  );
}
