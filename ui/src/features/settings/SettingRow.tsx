import type { ReactNode } from "react";

type Props = { title: string; hint?: ReactNode; children: ReactNode };

/** One setting: what it is, and its control at the end. */
export function SettingRow({ title, hint, children }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4">
      <div className="min-w-60 grow basis-0">
        <p className="font-mid">{title}</p>
        {hint ? <p className="mt-0.5 text-small text-pretty text-ink-3">{hint}</p> : null}
      </div>
      {children}
    </div>
  );
}
