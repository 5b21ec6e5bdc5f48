import { ConfirmRemoval } from "@/components/ConfirmRemoval";
import { showToast } from "@/components/toasts";
import { byteCount } from "@/lib/byteCount";
import { toApiError } from "@/platform/apiError";
import type { LocalModel, RemovedLocalModel } from "@/protocol/bindings";
import { useRemove } from "./useLocalModels";
import { localWords, lossOf, titleOf } from "./words";

type Props = { model: LocalModel; onClose: () => void; onRemoved: () => void };

/** Asks before a model goes, and says what becomes of its file. */
export function RemoveModel({ model, onClose, onRemoved }: Props) {
  const title = titleOf(model.title);
  const remove = useRemove();

  function removed(result: RemovedLocalModel): void {
    showToast(whatWasRemoved(title, result));
    onRemoved();
    onClose();
  }

  return (
    <ConfirmRemoval
      title={`Remove ${title}?`}
      loss={lossOf(model)}
      removing={remove.isPending}
      problem={remove.error ? localWords(toApiError(remove.error)) : null}
      // What went wrong is shown above.
      onRemove={() => void remove.mutateAsync(model).then(removed, () => {})}
      onClose={onClose}
    />
  );
}

function whatWasRemoved(title: string, { keptFile, freedBytes }: RemovedLocalModel): string {
  if (keptFile !== null) return `${title} is out of the list; its file stays`;
  return freedBytes > 0 ? `${title} is deleted, ${byteCount(freedBytes)} are free` : `${title} is deleted`;
}
