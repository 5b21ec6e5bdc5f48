import { memo, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { CodeBlock } from "./CodeBlock";
import { CopyButton } from "./CopyButton";
import type { Drawing } from "./mermaid";

type Props = { source: string };

function themeName(): string {
  return document.documentElement.dataset.theme ?? "";
}

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** A Mermaid diagram: drawn once it is complete and in view; its source with the reason when it cannot be. */
export const Diagram = memo(function Diagram({ source }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const target = useRef<HTMLDivElement>(null);
  const [inView, setInView] = useState(false);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const theme = useSyncExternalStore(onThemeChange, themeName);

  useEffect(() => {
    const element = frame.current;
    if (!element || inView) return;
    if (typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setInView(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [inView]);

  // The colours of a drawing are fixed when it is drawn: another theme needs another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew for another theme
  useEffect(() => {
    if (!inView) return;
    let current = true;
    void import("./mermaid")
      .then(({ drawDiagram }) => drawDiagram(source))
      .then((drawn) => {
        if (current) setDrawing(drawn);
      });
    return () => {
      current = false;
    };
  }, [inView, source, theme]);

  useEffect(() => {
    if (drawing?.ok) target.current?.replaceChildren(drawing.svg);
  }, [drawing]);

  if (drawing && !drawing.ok) {
    const [reason, ...place] = drawing.message.split("\n");
    return (
      <div className="diagram-failed">
        <p role="note">This diagram could not be drawn. {reason}</p>
        {place.length > 0 ? (
          <pre dir="ltr" className="whitespace-pre-wrap wrap-anywhere">
            {place.join("\n")}
          </pre>
        ) : null}
        <CodeBlock code={source} info="mermaid" />
      </div>
    );
  }
  return (
    <div ref={frame} className="diagram">
      <CopyButton label="Copy diagram source" content={() => ({ text: source })} className="table-copy" />
      {drawing ? null : <pre className="text-ink-3">{source}</pre>}
      <div ref={target} role="img" aria-label="Diagram" hidden={!drawing} />
    </div>
  );
});
