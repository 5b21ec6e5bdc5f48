import { classes } from "@/lib/classes";

type Props = {
  /** Something waits for the person: the dots light up. */
  turn?: boolean;
  /** Draws the line once, large and fine. */
  drawn?: boolean;
  className?: string;
};

const middle = 12;
const dotDistance = 7;
const dots = [
  [middle + dotDistance, middle],
  [middle - dotDistance, middle],
  [middle, middle + dotDistance],
  [middle, middle - dotDistance],
] as const;

/** The chukki rangoli: one line that loops round four dots. r² = |cos 2θ|, straight through the middle. */
const line = knot(middle, 11);

export function Mark({ turn = false, drawn = false, className }: Props) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={classes("shrink-0", className ?? "size-6")}>
      <path
        d={line}
        pathLength={1}
        fill="none"
        strokeWidth={drawn ? 0.9 : 1.5}
        strokeLinejoin="round"
        className={classes("stroke-ink in-data-[theme=dark]:stroke-ink-2", drawn && "draw-once")}
      />
      {dots.map(([x, y]) => (
        <circle
          key={`${x},${y}`}
          cx={x}
          cy={y}
          r={drawn ? 1.2 : 1.7}
          className={turn ? "fill-turn" : "fill-ink-3"}
        />
      ))}
    </svg>
  );
}

function knot(centre: number, radius: number): string {
  const steps = 240;
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const angle = (step / steps) * 2 * Math.PI;
    const cosine = Math.cos(2 * angle);
    const r = radius * Math.sign(cosine) * Math.sqrt(Math.abs(cosine));
    return `${(centre + r * Math.cos(angle)).toFixed(2)} ${(centre + r * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}
