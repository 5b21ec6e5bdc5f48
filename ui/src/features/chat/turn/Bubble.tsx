import type { ReactNode } from "react";
import { classes } from "@/lib/classes";
import type { Attachment } from "@/protocol/bindings";
import { Attachments } from "../attachments/Attachments";

type Props = {
  text: string;
  attachments: readonly Attachment[];
  faded?: boolean;
  children?: ReactNode;
};

/** What the person wrote and attached. Shown as it was typed, never as Markdown. */
export function Bubble({ text, attachments, faded = false, children }: Props) {
  return (
    <div className="flex flex-col items-end gap-1.5">
      {text.trim() === "" ? null : (
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
      )}
      <Attachments attachments={attachments} className="max-w-[84%] justify-end" />
      {children}
    </div>
  );
}
