import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/lib/classes";
import { Tooltip } from "./Tooltip";

type Props = Omit<ComponentProps<"button">, "aria-label"> & {
  /** Its name; shown as a tooltip. */
  label: string;
  /** Its shortcut, shown in the tooltip. */
  keys?: string;
  size?: "normal" | "small";
  icon: ReactNode;
};

export function IconButton({ label, keys, size = "normal", icon, className, ...rest }: Props) {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={classes(
          "grid shrink-0 place-items-center rounded-m text-ink-3",
          "transition-colors duration-(--d-tap) hover:bg-hover hover:text-ink disabled:opacity-55",
          "aria-pressed:bg-hover aria-pressed:text-ink aria-expanded:bg-hover aria-expanded:text-ink",
          size === "small" ? "size-7" : "size-8",
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
