import type { ReactNode } from "react";
import { classes } from "@/lib/classes";

type Props = { children: ReactNode; plain?: boolean; className?: string };

export function Kbd({ children, plain = false, className }: Props) {
  return (
    <kbd
      dir="ltr"
      className={classes(
        "inline-block min-w-4.5 rounded-s text-center text-micro leading-none font-mid whitespace-nowrap",
        plain ? "opacity-70" : "border border-line bg-surface px-1.25 pt-0.75 pb-0.5 text-ink-3",
        className,
      )}
    >
      {children}
    </kbd>
  );
}
