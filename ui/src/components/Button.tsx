import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/lib/classes";

/** `turn` is turmeric: only for what waits for the person. */
type Look = "solid" | "line" | "quiet" | "danger" | "turn";

type Props = ComponentProps<"button"> & {
  look?: Look;
  size?: "normal" | "small";
  icon?: ReactNode;
};

const looks: Record<Look, string> = {
  solid: "bg-ink text-surface hover:bg-ink-2",
  line: "border border-line-strong bg-raised text-ink hover:bg-hover",
  quiet: "text-ink-2 hover:bg-hover hover:text-ink",
  danger: "border border-danger-line bg-danger-wash text-danger hover:border-danger",
  turn: "bg-turn font-strong text-on-turn hover:bg-turn-hover",
};

export function Button({ look = "line", size = "normal", icon, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(
        "inline-flex shrink-0 items-center justify-center gap-2 rounded-m font-mid whitespace-nowrap",
        "transition-colors duration-(--d-tap) disabled:opacity-55",
        size === "small" ? "h-7 px-2.5 text-small" : "h-8.5 px-3.5 text-base",
        looks[look],
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
}
