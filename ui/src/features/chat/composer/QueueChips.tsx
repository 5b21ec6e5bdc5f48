import { CornerDownRight, Pencil, X } from "lucide-react";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import type { Attachment, QueuedMessage } from "@/protocol/bindings";
import { useLive } from "@/state";
import { questionWords } from "../attachments/limits";

type Props = {
  sessionId: string;
  queue: readonly QueuedMessage[];
  running: boolean;
  onEdit: (text: string, attachments: readonly Attachment[]) => void;
};

/** Messages that wait until the answer is done. */
export function QueueChips({ sessionId, queue, running, onEdit }: Props) {
  const live = useLive();
  if (queue.length === 0) return null;
  return (
    <ul aria-label="Waiting messages" className="mb-2 grid gap-1.5">
      {queue.map(({ queuedId, text, attachments }) => (
        <li
          key={queuedId}
          className="flex min-h-9 items-center gap-2 rounded-m border border-line bg-raised ps-3 pe-1 text-small text-ink-2"
        >
          <CornerDownRight aria-hidden="true" className="size-3.5 shrink-0 text-ink-3 rtl:-scale-x-100" />
          <span dir="auto" className="min-w-0 grow truncate">
            {questionWords(text, attachments)}
          </span>
          {attachments.length > 0 && text.trim() !== "" ? (
            <span className="shrink-0 text-micro text-ink-3">
              {attachments.length === 1 ? "1 file" : `${attachments.length} files`}
            </span>
          ) : null}
          <Button size="small" look="quiet" onClick={() => void live.sendQueuedNow(sessionId, queuedId)}>
            {running ? "Send now" : "Send"}
          </Button>
          <IconButton
            size="small"
            label="Edit this message"
            icon={<Pencil aria-hidden="true" className="size-3.5" />}
            onClick={() => {
              void live.removeQueued(sessionId, queuedId).then((removed) => {
                if (removed) onEdit(text, attachments);
              });
            }}
          />
          <IconButton
            size="small"
            label="Remove this message"
            icon={<X aria-hidden="true" className="size-3.5" />}
            onClick={() => void live.removeQueued(sessionId, queuedId)}
          />
        </li>
      ))}
    </ul>
  );
}
