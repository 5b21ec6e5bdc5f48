import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "@/lib/classes";
import { IconButton } from "./IconButton";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Read after the title; leave it out when the content says enough. */
  description?: string;
  /** The title is there for screen readers only. */
  bare?: boolean;
  place?: "middle" | "top";
  children: ReactNode;
};

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  bare = false,
  place = "middle",
  children,
}: Props) {
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-(--z-dialog) bg-scrim" />
        <RadixDialog.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onOpenAutoFocus={(event) => {
            // With a title, reading begins there and not at the button that closes.
            if (bare || !(event.currentTarget instanceof HTMLElement)) return;
            event.preventDefault();
            event.currentTarget.focus();
          }}
          className={classes(
            "fixed start-1/2 z-(--z-dialog) flex max-h-[80vh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col rtl:translate-x-1/2",
            "overflow-hidden rounded-l border border-line bg-raised shadow-3 outline-none",
            place === "top" ? "top-[12vh]" : "top-1/2 -translate-y-1/2",
          )}
        >
          {bare ? (
            <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
          ) : (
            <header className="flex items-center gap-3 ps-5 pe-3 pt-4 pb-2">
              <RadixDialog.Title className="grow text-lead font-strong">{title}</RadixDialog.Title>
              <RadixDialog.Close asChild>
                <IconButton label="Close" keys="Esc" icon={<X aria-hidden="true" className="size-4" />} />
              </RadixDialog.Close>
            </header>
          )}
          {description ? (
            <RadixDialog.Description className={bare ? "sr-only" : "px-5 text-ink-2"}>
              {description}
            </RadixDialog.Description>
          ) : null}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
