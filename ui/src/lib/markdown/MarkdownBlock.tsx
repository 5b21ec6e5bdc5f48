import { createCjkPlugin } from "@streamdown/cjk";
import { memo } from "react";
import rehypeSanitize from "rehype-sanitize";
import remend from "remend";
import { defaultRemarkPlugins, Streamdown, type StreamdownProps } from "streamdown";
import { elements, Fenced } from "./elements";
import { closesFence, fenceOf } from "./lines";
import { remarkMaths } from "./mathsSyntax";
import { rehypeColumns, schema } from "./rehypeTidy";
import { remarkPlainHtml } from "./remarkPlainHtml";

type Props = {
  text: string;
  /** More will come: marks that are open are closed for show. */
  growing?: boolean;
};

const remarkPlugins: NonNullable<StreamdownProps["remarkPlugins"]> = [
  ...Object.values(defaultRemarkPlugins),
  remarkMaths,
  remarkPlainHtml,
];
const rehypePlugins: NonNullable<StreamdownProps["rehypePlugins"]> = [
  [rehypeSanitize, schema],
  rehypeColumns,
];
const plugins = { cjk: createCjkPlugin() };
const wholeBlock = (text: string) => [text];
/** Only what is closed by itself: nothing that would turn the text into something else. */
const healing = {
  katex: false,
  inlineKatex: false,
  htmlTags: false,
  comparisonOperators: false,
  singleTilde: false,
  linkMode: "text-only",
} as const;

/** One block. The same component while it grows and when it is settled, so its elements stay. */
export const MarkdownBlock = memo(function MarkdownBlock({ text, growing = false }: Props) {
  const fence = growing ? null : wholeFence(text);
  if (fence) return <Fenced code={fence.code} info={fence.info} />;
  return (
    <Streamdown
      mode="static"
      className="answer-block"
      components={elements}
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      plugins={plugins}
      parseMarkdownIntoBlocksFn={wholeBlock}
      parseIncompleteMarkdown={false}
    >
      {growing ? remend(text, healing) : text}
    </Streamdown>
  );
});

/** A block that is one closed fence needs no parser. */
function wholeFence(text: string): { code: string; info: string } | null {
  const end = text.indexOf("\n");
  if (end < 0) return null;
  const fence = fenceOf(text.slice(0, end).replace(/\r$/, ""));
  if (!fence || fence.indent > 0 || /[\\&]/.test(fence.info)) return null;
  const body = text.slice(end + 1).replace(/\r?\n$/, "");
  const last = body.lastIndexOf("\n") + 1;
  if (!closesFence(body.slice(last).replace(/\r$/, ""), fence)) return null;
  const code = body.slice(0, last);
  const closedBefore = code.split("\n").some((line) => closesFence(line.replace(/\r$/, ""), fence));
  return closedBefore ? null : { code: code.replaceAll("\r\n", "\n"), info: fence.info };
}
