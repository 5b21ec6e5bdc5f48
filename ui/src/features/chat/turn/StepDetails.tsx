import { useState } from "react";
import { CopyButton } from "@/lib/markdown";
import type { StepPart } from "@/state";

type Props = { id: string; step: StepPart };

const FIRST_LINES = 20;

/** All of a step: the exact arguments and the whole result. */
export function StepDetails({ id, step }: Props) {
  const { outcome } = step;
  const result = outcome?.type === "succeeded" ? outcome.content : outcome ? null : step.progress;
  return (
    <div id={id} className="ms-8.5 mt-1 mb-2 grid gap-3 rounded-m border border-line bg-sunken p-3.5">
      <Section title={`Arguments of ${step.tool}`} text={JSON.stringify(step.input, null, 2)} />
      {outcome?.type === "failed" ? (
        <div className="grid gap-0.5">
          <p dir="auto" className="whitespace-pre-wrap text-danger">
            {outcome.message}
          </p>
          {outcome.hint ? (
            <p dir="auto" className="text-ink-2">
              {outcome.hint}
            </p>
          ) : null}
        </div>
      ) : null}
      {result ? <Section title={outcome ? "Result" : "So far"} text={result} /> : null}
    </div>
  );
}

function Section({ title, text }: { title: string; text: string }) {
  const [all, setAll] = useState(false);
  const lines = text.replace(/\n$/, "").split("\n");
  const cut = !all && lines.length > FIRST_LINES;
  return (
    <section aria-label={title} className="min-w-0">
      <header className="mb-1 flex items-center text-micro text-ink-3">
        <h4 className="grow">{title}</h4>
        <CopyButton label={`Copy ${title.toLowerCase()}`} content={() => ({ text })} className="-my-1" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr" className={PRE}>
        {cut ? lines.slice(0, FIRST_LINES).join("\n") : lines.join("\n")}
      </pre>
      {lines.length > FIRST_LINES ? (
        <button
          type="button"
          className="mt-1 min-h-6 text-neeli underline underline-offset-3"
          onClick={() => setAll(!all)}
        >
          {all ? "Show less" : `All ${lines.length} lines`}
        </button>
      ) : null}
    </section>
  );
}

const PRE =
  "max-h-100 overflow-auto font-mono text-mono leading-relaxed whitespace-pre-wrap break-words text-ink";
