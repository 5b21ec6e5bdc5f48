/** What is left of a tree after parsing: only elements and addresses that we know. */
import type { Element, Nodes, Root } from "hast";
import type { Schema } from "hast-util-sanitize";

export const schema: Schema = {
  tagNames: [
    ..."a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i img input kbd li mark ol p pre s section".split(
      " ",
    ),
    ..."small strong sub sup table tbody td th thead tr u ul".split(" "),
  ],
  attributes: {
    a: ["href", "id", "dataFootnoteRef", "dataFootnoteBackref", "ariaLabel", "ariaDescribedBy"],
    code: [["className", /^language-./, "maths-inline", "maths-display"], "metastring"],
    img: ["src", "alt", "title"],
    input: [["type", "checkbox"], "checked", ["disabled", true]],
    li: ["id", ["className", "task-list-item"]],
    ol: ["start", ["className", "contains-task-list"]],
    ul: [["className", "contains-task-list"]],
    section: ["dataFootnotes"],
    td: ["align"],
    th: ["align"],
  },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https", "data"] },
  required: { input: { disabled: true, type: "checkbox" } },
  strip: ["script", "style"],
  clobber: ["id", "ariaDescribedBy"],
  clobberPrefix: "answer-",
};

const NUMBER =
  /^[\s≈~<>≤≥+\-−]*[$€£₹¥]?\s*[\d.,'\u202f\u00a0]*\d[\d.,'\u202f\u00a0]*\s*(?:[%‰°×x]|[A-Za-zµ/]{1,4})?\s*$/u;

/** Sides of cells as classes that follow the direction of the page; columns of numbers go to the end. */
export function rehypeColumns() {
  return (tree: Root): void => walk(tree);
}

function walk(node: Nodes): void {
  if (node.type === "element" && node.tagName === "table") alignColumns(node);
  else if ("children" in node) for (const child of node.children) walk(child);
}

const SIDES: Record<string, string> = { left: "to-start", center: "to-middle", right: "to-end" };

function alignColumns(table: Element): void {
  const rows = rowsOf(table);
  const width = rows[0]?.length ?? 0;
  for (let column = 0; column < width; column += 1) {
    const cells = rows.map((row) => row[column]).filter((cell) => cell !== undefined);
    const body = cells.filter((cell) => cell.tagName === "td" && textOf(cell).trim() !== "");
    const numbers = body.length > 0 && body.every((cell) => NUMBER.test(textOf(cell)));
    for (const cell of cells) {
      const side = SIDES[String(cell.properties.align ?? "")] ?? (numbers ? "to-end" : undefined);
      cell.properties = side === undefined ? {} : { className: [side] };
    }
  }
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  const collect = (node: Element) => {
    for (const child of node.children) {
      if (child.type !== "element") continue;
      if (child.tagName === "tr") rows.push(child.children.filter((cell) => cell.type === "element"));
      else collect(child);
    }
  };
  collect(table);
  return rows;
}

/** The text below a node. */
export function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
