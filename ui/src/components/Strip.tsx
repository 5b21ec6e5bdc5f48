import type { ReactNode } from "react";
import { classes } from "@/lib/classes";

type Props = { icon?: ReactNode; tone?: "plain" | "danger"; children: ReactNode; action?: ReactNode };

/** One line under the top strip about the whole app. */
export function Strip({ icon, tone = "plain", children, action }: Props) {
  return (
    <div
      role="status"
      className={classes(
        "flex min-h-9 shrink-0 items-center gap-2.5 border-b px-4.5 py-1.5 text-small",
        tone === "danger"
          ? "border-danger-line bg-danger-wash text-danger"
          : "border-line bg-canvas text-ink-2",
      )}
    >
      {icon}
      <span className="grow">{children}</span>
      {action}
    </div>
  );
}
