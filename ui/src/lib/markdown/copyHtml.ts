/** Markdown as HTML for other programs: with the little style that mail and office programs keep. */
import type { Element, Nodes, Root } from "hast";
import { toHtml } from "hast-util-to-html";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { remarkMaths } from "./mathsSyntax";
import { schema } from "./rehypeTidy";
import { remarkPlainHtml } from "./remarkPlainHtml";

const MONO = "font-family:ui-monospace,Menlo,Consolas,monospace";
const CELL = "border:1px solid #999;padding:4px 8px";
const STYLES: Record<string, string> = {
  table: "border-collapse:collapse",
  td: CELL,
  th: `${CELL};text-align:start`,
  pre: `${MONO};background:#f3f3f7;padding:8px 12px;white-space:pre-wrap`,
  code: MONO,
  blockquote: "border-inline-start:2px solid #999;margin-inline-start:0;padding-inline-start:12px",
};

const parser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMaths)
  .use(remarkPlainHtml)
  .use(remarkRehype)
  .use(rehypeSanitize, schema);

export function markdownToHtml(markdown: string): string {
  const tree: Root = parser.runSync(parser.parse(markdown));
  style(tree);
  return toHtml(tree);
}

function style(node: Nodes): void {
  if (node.type === "element") styleElement(node);
  if ("children" in node) for (const child of node.children) style(child);
}

function styleElement(element: Element): void {
  const look = STYLES[element.tagName];
  if (look !== undefined) element.properties.style = look;
  // A picture elsewhere would be fetched by the program that gets it: only its words go.
  if (element.tagName === "img") {
    element.tagName = "span";
    element.children = [{ type: "text", value: String(element.properties.alt ?? "") }];
    element.properties = {};
  }
}
