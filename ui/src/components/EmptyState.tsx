import type { ReactNode } from "react";

type Props = { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode };

/** Says why there is nothing here and what to do about it. */
export function EmptyState({ title, children, action, icon }: Props) {
  return (
    <div className="grid justify-items-center gap-2 px-8 py-14 text-center">
      {icon}
      <h2 className="text-lead font-mid">{title}</h2>
      {children ? <p className="max-w-100 text-pretty text-ink-2">{children}</p> : null}
      {action ? <div className="mt-3 flex gap-2">{action}</div> : null}
    </div>
  );
}
