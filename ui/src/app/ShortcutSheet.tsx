import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { keyLabel } from "@/lib/platformKeys";
import { frameShortcuts, otherShortcuts } from "./shortcuts";

type Props = { onClose: () => void };

export function ShortcutSheet({ onClose }: Props) {
  const rows = [...frameShortcuts([], null), ...otherShortcuts];
  return (
    <Dialog open onOpenChange={(next) => (next ? undefined : onClose())} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1.5 overflow-y-auto px-5 pt-1 pb-5 text-small">
        {rows.map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt className="text-ink-2">{does}</dt>
            <dd className="justify-self-end">
              <Kbd>{keyLabel(keys)}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
