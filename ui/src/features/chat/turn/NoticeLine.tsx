import { Info } from "lucide-react";
import { sentence } from "@/lib/sentence";
import type { NoticePart } from "@/state";

type Props = { part: NoticePart; current: boolean };

/** Something to know that is no answer. What has passed by (waiting, trying again) leaves. */
export function NoticeLine({ part, current }: Props) {
  const passing = part.notice === "waiting" || part.notice === "retrying";
  if (passing && !current) return null;
  return (
    <p className="flex items-center gap-2 text-small text-ink-2">
      <Info aria-hidden="true" className="ms-1.25 size-4 shrink-0 text-ink-3" />
      <span dir="auto">{sentence(part.text)}</span>
    </p>
  );
}
