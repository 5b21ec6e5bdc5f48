import type { ErrorWords } from "@/lib/describeError";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { InlineError } from "./InlineError";

type Props = {
  /** What goes, as a question. */
  title: string;
  /** What is lost with it. */
  loss: string;
  removing: boolean;
  /** Why it could not be removed. */
  problem: ErrorWords | null;
  onRemove: () => void;
  onClose: () => void;
};

/** Asks before something goes that cannot be brought back. */
export function ConfirmRemoval({ title, loss, removing, problem, onRemove, onClose }: Props) {
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title={title} description={loss}>
      <div className="grid gap-4 px-5 pt-4 pb-5">
        {problem ? <InlineError words={problem} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Keep</Button>
          <Button look="danger" disabled={removing} onClick={onRemove}>
            {removing ? "Removing…" : "Remove"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
