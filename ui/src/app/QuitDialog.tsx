import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { showToast } from "@/components/toasts";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import { stay } from "./frameState";

type Props = { running: readonly string[] };

/** Quitting stops what runs, so it asks first and names it. */
export function QuitDialog({ running }: Props) {
  const platform = usePlatform();
  const quit = () => {
    platform.quit().catch((thrown) => showToast(describeError(toApiError(thrown)).title));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) stay();
      }}
      title="Stop and quit?"
      description={
        running.length === 1
          ? "This chat is still being answered. What has arrived so far is kept."
          : "These chats are still being answered. What has arrived so far is kept."
      }
    >
      <ul className="px-5 pt-3">
        {running.map((title, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two chats may have one title, and the list never changes
          <li key={place} className="truncate font-mid">
            {title}
          </li>
        ))}
      </ul>
      <div className="flex justify-end gap-2 px-5 py-4">
        <Button onClick={stay}>Stay</Button>
        <Button look="danger" onClick={quit}>
          Stop and quit
        </Button>
      </div>
    </Dialog>
  );
}
