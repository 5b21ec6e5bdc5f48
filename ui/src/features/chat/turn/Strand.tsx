import { classes } from "@/lib/classes";

export type StrandLook = "done" | "now" | "turn" | "bad";

type Props = {
  look: StrandLook;
  /** Nothing stands before this dot: the loop closes round it. */
  first: boolean;
  last: boolean;
};

const CENTRE = 13;
const HEIGHT = 30;
const HALF_WIDTH = 9.2;
const STEPS = 24;
/** The widest place of a loop of r² = cos 2θ lies here on its way from crossing to tip. */
const WIDEST = Math.cos(Math.PI / 6) * Math.sqrt(0.5);

/**
 * One side of a loop from its crossing to its tip: r² = cos 2θ, brought to height 1 and width 1.
 * `along` runs from the crossing (0) to the tip (1).
 */
const LOBE = Array.from({ length: STEPS + 1 }, (_, step) => {
  const angle = (Math.PI / 4) * (1 - step / STEPS);
  const r = Math.sqrt(Math.max(0, Math.cos(2 * angle)));
  return {
    along: r * Math.cos(angle),
    out: (r * Math.sin(angle)) / (Math.sin(Math.PI / 6) * Math.sqrt(0.5)),
  };
});

/** Half of a row's loop, from the dot outwards: open to a crossing, or closed round the dot. */
function quarter(closed: boolean): { along: number; out: number }[] {
  if (closed) {
    return LOBE.filter(({ along }) => along >= WIDEST).map(({ along, out }) => ({
      along: ((along - WIDEST) / (1 - WIDEST)) * 0.86,
      out,
    }));
  }
  return LOBE.filter(({ along }) => along <= WIDEST)
    .map(({ along, out }) => ({ along: 1 - along / WIDEST, out }))
    .reverse();
}

function side(first: boolean, last: boolean, sign: 1 | -1): string {
  const middle = HEIGHT / 2;
  const up = quarter(first)
    .map(({ along, out }) => [CENTRE + sign * out * HALF_WIDTH, middle - along * middle] as const)
    .reverse();
  const down = quarter(last).map(
    ({ along, out }) => [CENTRE + sign * out * HALF_WIDTH, middle + along * middle] as const,
  );
  return `M${[...up, ...down].map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;
}

const strokes: Record<StrandLook, string> = {
  done: "stroke-line-strong",
  now: "stroke-neeli draw-on",
  turn: "stroke-turn forced-colors:stroke-[Highlight]",
  bad: "stroke-danger-line",
};
const fills: Record<StrandLook, string> = {
  done: "fill-ink-3",
  now: "fill-neeli",
  turn: "fill-turn forced-colors:fill-[Highlight]",
  bad: "fill-danger",
};

/** The line round one step, after the rangoli of the mark. Loops of neighbouring rows cross between them. */
export function Strand({ look, first, last }: Props) {
  const live = look === "now" || look === "turn";
  return (
    <svg viewBox={`0 0 26 ${HEIGHT}`} aria-hidden="true" className="h-7.5 w-6.5 shrink-0 overflow-visible">
      {([1, -1] as const).map((sign) => (
        <path
          key={sign}
          d={side(first, last, sign)}
          pathLength={1}
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
          strokeWidth={live ? 1.8 : 1.4}
          className={strokes[look]}
        />
      ))}
      <circle cx={CENTRE} cy={HEIGHT / 2} r={live ? 2.8 : 2} className={classes(fills[look])} />
    </svg>
  );
}
