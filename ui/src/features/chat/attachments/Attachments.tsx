import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/IconButton";
import { classes } from "@/lib/classes";
import type { Attachment } from "@/protocol/bindings";
import { sizeWords } from "./limits";
import { Thumbnail } from "./Thumbnail";
import type { Unattached } from "./useAttaching";

type Props = {
  attachments: readonly Attachment[];
  onRemove?: (fileId: string) => void;
  unattached?: readonly Unattached[];
  onDismiss?: (localId: string) => void;
  className?: string;
};

/** What goes with a message: each file with its name and size, and what was refused with the reason. */
export function Attachments({ attachments, onRemove, unattached = [], onDismiss, className }: Props) {
  if (attachments.length === 0 && unattached.length === 0) return null;
  return (
    <ul aria-label="Attachments" className={classes("flex flex-wrap gap-1.5", className)}>
      {attachments.map((attachment) => (
        <Chip key={attachment.fileId}>
          <Thumbnail attachment={attachment} />
          <Name name={attachment.name} />
          <span className="shrink-0 text-micro text-ink-3">{sizeWords(attachment.sizeBytes)}</span>
          {onRemove ? <Remove name={attachment.name} onClick={() => onRemove(attachment.fileId)} /> : null}
        </Chip>
      ))}
      {unattached.map(({ localId, name, refusal }) => (
        <Chip key={localId} refused={refusal !== null}>
          <Name name={name} />
          {refusal === null ? (
            <span className="shrink-0 text-micro text-ink-3">Reading…</span>
          ) : (
            <span role="alert" className="text-micro text-danger">
              Not attached: {refusal}
            </span>
          )}
          {refusal !== null && onDismiss ? <Remove name={name} onClick={() => onDismiss(localId)} /> : null}
        </Chip>
      ))}
    </ul>
  );
}

function Chip({ refused = false, children }: { refused?: boolean; children: ReactNode }) {
  return (
    <li
      className={classes(
        "flex min-h-9 max-w-full items-center gap-1.5 rounded-m border ps-1 pe-2 text-small text-ink-2",
        refused ? "border-danger-line bg-danger-wash" : "border-line bg-raised",
      )}
    >
      {children}
    </li>
  );
}

function Name({ name }: { name: string }) {
  return (
    <span dir="auto" title={name} className="max-w-60 min-w-0 truncate ps-1">
      {name}
    </span>
  );
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton
      size="small"
      label={`Remove ${name}`}
      icon={<X aria-hidden="true" className="size-3.5" />}
      onClick={onClick}
    />
  );
}
