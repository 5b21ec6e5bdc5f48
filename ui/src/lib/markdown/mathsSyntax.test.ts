import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, it } from "vitest";
import { remarkMaths } from "./mathsSyntax";

type Node = {
  type: string;
  value?: string;
  lang?: string | null | undefined;
  children?: Node[];
  data?: unknown;
};

/** The formulas and the remaining text, in order. */
function parts(markdown: string): { maths: string[]; text: string } {
  const tree: Node = unified().use(remarkParse).use(remarkMaths).parse(markdown);
  const maths: string[] = [];
  let text = "";
  const walk = (node: Node) => {
    if ((node.type === "inlineCode" && node.data) || (node.type === "code" && node.lang === "math"))
      maths.push(node.value ?? "");
    else text += node.value ?? "";
    node.children?.forEach(walk);
  };
  walk(tree);
  return { maths, text };
}

describe("dollars and brackets", () => {
  it.each([
    ["$1 \\ne 1$", ["1 \\ne 1"], ""],
    ["\\( 1 \\ne 2\\)", ["1 \\ne 2"], ""],
    ["$12 \\times 12 = 144$", ["12 \\times 12 = 144"], ""],
    ["$$1 + 1 = 2$$", ["1 + 1 = 2"], ""],
    ["$$\nx^2\n\n- y\n$$", ["x^2\n\n- y"], ""],
    ["\\[\na_1\n\\]", ["a_1"], ""],
    ["so \\[ a_1 \\] holds", ["a_1"], "so  holds"],
    ["$5 and $6, but $x^2$", ["x^2"], "$5 and $6, but "],
    ["with $x$ and $n < m$", ["x", "n < m"], "with  and "],
    ["cost $O(n)$ time", ["O(n)"], "cost  time"],
    ["two\n$$a$$ here", ["a"], "two\n here"],
    ["`$x^2$` stays", [], "$x^2$ stays"],
    ["$a\\$b = c$", ["a\\$b = c"], ""],
    ["> $$\n> x = 1\n> $$", ["x = 1"], ""],
    ["- item\n\n  $$\n  x = 1\n  $$\n- next", ["x = 1"], "itemnext"],
    ["> a $x_1 +\n> y_1$ b", ["x_1 +\ny_1"], "a  b"],
  ])("reads %j as maths", (markdown, maths, text) => {
    expect(parts(markdown)).toEqual({ maths, text });
  });

  it.each([
    "$1 < $2，\nSo choose the $1 one.",
    "costs $5 and $10",
    "$0.017 and $5",
    "$5,$10",
    "$HOME/bin:$PATH",
    "US$5 or A$6_000",
    "a $ b = c $ d",
    "$$ alone",
    "$x^2",
  ])("leaves %j as it is", (markdown) => {
    expect(parts(markdown).maths).toEqual([]);
  });

  it("stays fast on ten thousand dollars", () => {
    expect(parts("$1 ".repeat(10_000)).maths).toEqual([]);
    expect(parts("\\( ".repeat(10_000)).maths).toEqual([]);
  });
});
