import { ConfirmRemoval } from "@/components/ConfirmRemoval";
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
    <ConfirmRemoval
      title={`Remove ${calledOf(connection)}?`}
      loss={`${losses[key]} Your chats stay.`}
      removing={remove.isPending}
      problem={remove.error ? describeError(toApiError(remove.error)) : null}
      // The card may have left by then. What went wrong is shown above.
      onRemove={() => void remove.mutateAsync(name).then(onRemoved, () => {})}
      onClose={onClose}
    />
  );
}

const losses: Record<ConnectionView["key"], string> = {
  vault:
    "Its key leaves the vault of this computer. That cannot be undone: you would have to paste it again.",
  environment: "It leaves the list. Its key stays in the environment.",
  none: "It leaves the list. You would have to set it up again.",
};
