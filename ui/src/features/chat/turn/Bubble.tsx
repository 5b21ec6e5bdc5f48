import type { ReactNode } from "react";
import { classes } from "@/lib/classes";

type Props = { text: string; faded?: boolean; children?: ReactNode };

/** What the person wrote. Shown as it was typed, never as Markdown. */
export function Bubble({ text, faded = false, children }: Props) {
  return (
    <div className="flex flex-col items-end gap-1.5">
      <div
        dir="auto"
        className={classes(
          "max-w-[84%] rounded-l rounded-ee-s bg-neeli-wash px-4 pt-2.75 pb-2.5 text-read leading-normal",
          "whitespace-pre-wrap [font-stretch:var(--wdth-text)] [overflow-wrap:anywhere]",
          faded && "opacity-60",
        )}
      >
        {text}
      </div>
      {children}
    </div>
  );
}
