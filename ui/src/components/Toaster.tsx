import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { create } from "zustand";
import { Button } from "./Button";
import { IconButton } from "./IconButton";

type ToastItem = {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

const most = 3;
let nextId = 1;

const useToasts = create<{ items: readonly ToastItem[] }>()(() => ({ items: [] }));

/** Tells of something that is done. With an action it stays for 10 s, else for 6 s. */
export function showToast(text: string, action: ToastItem["action"] = null): void {
  const item = { id: nextId++, text, action };
  useToasts.setState(({ items }) => ({ items: [...items, item].slice(-most) }));
}

function drop(id: number): void {
  useToasts.setState(({ items }) => ({ items: items.filter((item) => item.id !== id) }));
}

/** The place where toasts appear. Hover or focus holds them. Rendered once, by the frame. */
export function Toaster() {
  const items = useToasts((state) => state.items);
  return (
    <Toast.Provider label="Notification" swipeDirection="right">
      {items.map(({ id, text, action }) => (
        <Toast.Root
          key={id}
          duration={action ? 10_000 : 6_000}
          onOpenChange={(open) => {
            if (!open) drop(id);
          }}
          className="flex items-center gap-2 rounded-m border border-line bg-raised py-2 ps-4 pe-2 text-small shadow-2"
        >
          <Toast.Description className="grow overflow-hidden text-ellipsis">{text}</Toast.Description>
          {action ? (
            <Toast.Action asChild altText={action.label} onClick={action.run}>
              <Button size="small" look="quiet" className="text-neeli">
                {action.label}
              </Button>
            </Toast.Action>
          ) : null}
          <Toast.Close asChild>
            <IconButton size="small" label="Close" icon={<X aria-hidden="true" className="size-3.5" />} />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className="fixed end-4 bottom-4 z-(--z-toast) grid w-[min(24rem,calc(100vw-2rem))] gap-2 outline-none" />
    </Toast.Provider>
  );
}
