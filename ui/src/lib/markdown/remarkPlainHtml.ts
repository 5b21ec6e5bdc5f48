/**
 * Raw HTML of a model is never HTML here. It shows as the text it is; `<br>` breaks the line and a few
 * inline tags without attributes become the element they name. Comments vanish.
 */
import type { Root, RootContent } from "mdast";

const INLINE = new Set(["b", "strong", "i", "em", "u", "s", "del", "kbd", "sub", "sup", "mark", "small"]);

type Parent = { children: RootContent[] };

export function remarkPlainHtml() {
  return (tree: Root): void => plain(tree);
}

function plain(parent: Parent): void {
  const out: RootContent[] = [];
  for (let at = 0; at < parent.children.length; at += 1) {
    const node = parent.children[at];
    if (!node) continue;
    if (node.type !== "html") {
      if ("children" in node) plain(node as Parent);
      out.push(node);
      continue;
    }
    const end = closingAt(parent.children, at, node.value);
    if (end > at) {
      const inner: Parent = { children: parent.children.slice(at + 1, end) };
      plain(inner);
      out.push(element(tagOf(node.value), inner.children));
      at = end;
    } else out.push(...asText(node.value));
  }
  parent.children = out;
}

function tagOf(value: string): string {
  return /^<([a-z]+)>$/i.exec(value)?.[1]?.toLowerCase() ?? "";
}

/** Where the tag that opens here is closed among its siblings, or -1. */
function closingAt(siblings: readonly RootContent[], at: number, value: string): number {
  const tag = tagOf(value);
  if (!INLINE.has(tag)) return -1;
  return siblings.findIndex(
    (node, index) => index > at && node.type === "html" && node.value.toLowerCase() === `</${tag}>`,
  );
}

function element(tag: string, children: RootContent[]): RootContent {
  return { type: "emphasis", children, data: { hName: tag } } as RootContent;
}

function asText(value: string): RootContent[] {
  if (/^<br\s*\/?>$/i.test(value)) return [{ type: "break" }];
  const text = value.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  return text.trim() === "" ? [] : [{ type: "text", value: text }];
}
