import { Tooltip as RadixTooltip } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./Kbd";

type Props = { text: string; keys?: string; children: ReactNode };

/** Shown after 600 ms on hover, at once on keyboard focus. */
export function TooltipBody({ text, keys, children }: Props) {
  return (
    <RadixTooltip.Provider delayDuration={600} skipDelayDuration={200}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-(--z-toast) flex items-center gap-2 rounded-s bg-ink px-2 py-1 text-micro text-surface shadow-2"
          >
            {text}
            {keys ? <Kbd plain>{keys}</Kbd> : null}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
