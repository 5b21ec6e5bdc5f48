import { X } from "lucide-react";
import { Toast } from "radix-ui";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import { dropToast, useToasts } from "./toasts";

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
            if (!open) dropToast(id);
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
