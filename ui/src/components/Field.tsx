import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "@/lib/classes";

type Props = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  hint?: ReactNode;
  /** Why the value cannot be used. */
  problem?: string | null;
  /** Stands at the end inside the box. */
  after?: ReactNode;
};

export const inputClass =
  "h-9 w-full min-w-0 rounded-m border border-control bg-raised px-3 text-base text-ink focus-visible:outline-offset-0";

export function Field({ label, hint, problem, after, className, ...input }: Props) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, problem ? `${id}-problem` : null].filter(Boolean).join(" ");
  return (
    <div className={classes("grid gap-1.5", className)}>
      <label htmlFor={id} className="text-small font-mid text-ink">
        {label}
      </label>
      <div className="relative flex items-center">
        <input
          dir="auto"
          {...input}
          id={id}
          className={classes(inputClass, Boolean(after) && "pe-10", problem && "border-danger")}
          aria-invalid={problem ? true : undefined}
          aria-describedby={described || undefined}
        />
        {after ? <div className="absolute end-1">{after}</div> : null}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="text-micro text-ink-3">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
