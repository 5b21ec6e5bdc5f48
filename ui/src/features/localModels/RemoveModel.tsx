import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { InlineError } from "@/components/InlineError";
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
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${title}?`}
      description={lossOf(model)}
    >
      <div className="grid gap-4 px-5 pt-4 pb-5">
        {remove.error ? <InlineError words={localWords(toApiError(remove.error))} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep</Button>
          <Button
            look="danger"
            disabled={remove.isPending}
            // What went wrong is shown above.
            onClick={() => void remove.mutateAsync(model).then(removed, () => {})}
          >
            {remove.isPending ? "Removing…" : "Remove"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function whatWasRemoved(title: string, { keptFile, freedBytes }: RemovedLocalModel): string {
  if (keptFile !== null) return `${title} is out of the list; its file stays`;
  return freedBytes > 0 ? `${title} is deleted, ${byteCount(freedBytes)} are free` : `${title} is deleted`;
}
