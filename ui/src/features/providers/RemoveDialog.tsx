import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { InlineError } from "@/components/InlineError";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { ConnectionView } from "@/protocol/bindings";
import { calledOf, useRemoveConnection } from "./connections";

type Props = { connection: ConnectionView; onClose: () => void; onRemoved: () => void };

/** Asks before a connection goes: its key cannot be brought back. */
export function RemoveDialog({ connection, onClose, onRemoved }: Props) {
  const { name, key } = connection;
  const remove = useRemoveConnection();
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${calledOf(connection)}?`}
      description={`${losses[key]} Your chats stay.`}
    >
      <div className="grid gap-4 px-5 pt-4 pb-5">
        {remove.error ? <InlineError words={describeError(toApiError(remove.error))} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep</Button>
          <Button
            look="danger"
            disabled={remove.isPending}
            // The card may have left by then. What went wrong is shown above.
            onClick={() => void remove.mutateAsync(name).then(onRemoved, () => {})}
          >
            {remove.isPending ? "Removing…" : "Remove"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const losses: Record<ConnectionView["key"], string> = {
  vault:
    "Its key leaves the vault of this computer. That cannot be undone: you would have to paste it again.",
  environment: "It leaves the list. Its key stays in the environment.",
  none: "It leaves the list. You would have to set it up again.",
};
