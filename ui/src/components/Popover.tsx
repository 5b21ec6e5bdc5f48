import { Popover as RadixPopover } from "radix-ui";
import type { ReactNode } from "react";

type Props = {
  /** Its name, for screen readers. */
  label: string;
  trigger: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
};

/** A box over the page that belongs to its trigger. Esc and a click elsewhere close it. */
export function Popover({ label, trigger, open, onOpenChange, children }: Props) {
  return (
    <RadixPopover.Root open={open} onOpenChange={onOpenChange}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align="start"
          side="top"
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-menu) flex max-h-[min(26rem,var(--radix-popover-content-available-height))] w-[min(22rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-m border border-line bg-raised text-small shadow-2 outline-none"
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
