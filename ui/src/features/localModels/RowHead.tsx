import type { ReactNode } from "react";
import { aboutOf, titleOf } from "./words";

type Props = {
  /** Of the heading. */
  id: string;
  /** As the catalogue tells it. */
  title: string;
  /** What can be done with it. */
  children: ReactNode;
};

/** How a model is called, what is said about it, and its buttons. */
export function RowHead({ id, title, children }: Props) {
  const about = aboutOf(title);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-50 grow basis-0">
        <p id={id} dir="auto" className="font-mid [overflow-wrap:anywhere]">
          {titleOf(title)}
        </p>
        {about === null ? null : (
          <p dir="auto" className="text-small text-pretty text-ink-2">
            {about}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

/** One thing to know about a model, in a sentence. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p dir="auto" className="text-small text-pretty [overflow-wrap:anywhere] text-ink-2">
      {children}
    </p>
  );
}
