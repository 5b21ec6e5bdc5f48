import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ErrorWords } from "@/lib/describeError";

type Props = {
  words: ErrorWords;
  /** `note` for what is announced elsewhere, or stays: an alert would be read again each time it comes into the page. */
  role?: "alert" | "note";
  children?: ReactNode;
};

/** An error where it happened: what is the case, what to do, and the buttons that do it. */
export function InlineError({ words, role = "alert", children }: Props) {
  return (
    <div
      role={role}
      className="flex items-start gap-3 rounded-m border border-danger-line bg-danger-wash px-4 py-3 text-small"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="grid grow gap-0.5">
        <p className="font-mid text-danger">{words.title}</p>
        {words.hint ? <p className="text-ink-2">{words.hint}</p> : null}
        {children ? <div className="mt-2 flex flex-wrap gap-2">{children}</div> : null}
      </div>
    </div>
  );
}
