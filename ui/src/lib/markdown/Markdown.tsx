import { memo, useMemo, useRef, useState } from "react";
import "./markdown.css";
import { CodeBlock } from "./CodeBlock";
import { MarkdownBlock } from "./MarkdownBlock";
import { Splitter, withDefinitions } from "./settle";
import { useFlushed } from "./useFlushed";

type Props = {
  text: string;
  /** More may come. */
  growing: boolean;
};

/**
 * The text of a model as elements. Blocks that are settled render once; only the tail is looked at again.
 */
export const Markdown = memo(function Markdown({ text, growing }: Props) {
  const tailElement = useRef<HTMLDivElement>(null);
  const shown = useFlushed(text, growing, tailElement);
  const [splitter] = useState(() => new Splitter());
  const complete = !growing && shown === text;
  const { blocks, tail, open, definitions } = useMemo(
    () => splitter.push(shown, complete),
    [splitter, shown, complete],
  );
  return (
    <div className="answer" aria-busy={!complete || undefined}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added, and the tail becomes the next one
        <div key={index}>
          <MarkdownBlock text={withDefinitions(block, definitions)} />
        </div>
      ))}
      {tail.trim() === "" ? null : (
        <div key={blocks.length} ref={tailElement}>
          {open?.kind === "fence" ? (
            <CodeBlock code={open.body} info={open.info} open />
          ) : open?.kind === "maths" ? (
            <>
              {open.before === "" ? null : (
                <MarkdownBlock text={withDefinitions(open.before, definitions)} growing />
              )}
              <pre className="maths-source" dir="ltr">
                {open.source}
              </pre>
            </>
          ) : (
            <MarkdownBlock text={withDefinitions(tail, definitions)} growing />
          )}
        </div>
      )}
    </div>
  );
});
