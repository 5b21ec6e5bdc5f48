import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/lib/classes";
import { Kbd } from "./Kbd";

type Props = {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  onCloseAutoFocus?: (event: Event) => void;
};

/** A menu of actions. Give the trigger a name. */
export function Menu({
  trigger,
  children,
  align = "end",
  side = "bottom",
  onCloseAutoFocus,
  ...root
}: Props) {
  return (
    <DropdownMenu.Root {...root} modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
          className={menuClass}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const menuClass =
  "z-(--z-menu) max-h-(--radix-dropdown-menu-content-available-height) min-w-45 overflow-y-auto rounded-m border border-line bg-raised p-1 text-small shadow-2";

type ItemProps = ComponentProps<typeof DropdownMenu.Item> & {
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
};

export function MenuItem({ icon, keys, danger = false, children, ...rest }: ItemProps) {
  return (
    <DropdownMenu.Item {...rest} className={classes(itemClass, danger ? "text-danger" : "text-ink")}>
      {icon}
      <span className="grow">{children}</span>
      {keys ? <Kbd>{keys}</Kbd> : null}
    </DropdownMenu.Item>
  );
}

const itemClass =
  "flex min-h-8 items-center gap-2.5 rounded-s px-2 outline-none select-none data-disabled:text-ink-3 data-highlighted:bg-hover";

type ChoiceProps = ComponentProps<typeof DropdownMenu.RadioItem> & { icon?: ReactNode; detail?: ReactNode };

/** One of several; inside `MenuChoices`. */
export function MenuChoice({ icon, detail, children, ...rest }: ChoiceProps) {
  return (
    <DropdownMenu.RadioItem {...rest} className={classes(itemClass, "py-1 text-ink")}>
      {icon}
      <span className="grow">
        {children}
        {detail ? <small className="block text-micro text-ink-3">{detail}</small> : null}
      </span>
      <DropdownMenu.ItemIndicator aria-hidden="true">✓</DropdownMenu.ItemIndicator>
    </DropdownMenu.RadioItem>
  );
}

export const MenuChoices = DropdownMenu.RadioGroup;

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-micro text-ink-3">{children}</DropdownMenu.Label>
  );
}

export function MenuLine() {
  return <DropdownMenu.Separator className="mx-2 my-1 h-px bg-line" />;
}
