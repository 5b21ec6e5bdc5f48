import { RunningThread } from "@/components/RunningThread";
import type { InstallProgress } from "@/protocol/bindings";
import { stepOf } from "./words";

type Props = { label: string; progress: InstallProgress };

/** How far an installation is. Not announced: it would never end. */
export function InstallSteps({ label, progress }: Props) {
  const { words, part } = stepOf(progress);
  const percent = part === null ? null : Math.floor(part * 100);
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2 text-small text-ink-2">
        <RunningThread />
        <span className="tabular-nums">
          {words}
          {percent === null ? "" : ` (${percent} %)`}
        </span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuetext={words}
        {...(percent === null ? {} : { "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent })}
        className="h-1.5 overflow-hidden rounded-s bg-press"
      >
        {percent === null ? null : (
          <div className="h-full rounded-s bg-neeli" style={{ inlineSize: `${percent}%` }} />
        )}
      </div>
    </div>
  );
}
