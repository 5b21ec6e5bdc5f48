import { describe, expect, it } from "vitest";
import { samples } from "./samples";
import { Splitter, splitWhole, withDefinitions } from "./settle";

describe("the splitter", () => {
  it.each(samples.map((text) => [text]))("gives the same blocks byte by byte as at once: %j", (text) => {
    const splitter = new Splitter();
    for (let end = 0; end < text.length; end += 1) {
      const { blocks, tail } = splitter.push(text.slice(0, end));
      const whole = splitWhole(text).blocks;
      // What is settled stays settled, and nothing is lost.
      expect(blocks).toEqual(whole.slice(0, blocks.length));
      expect(text.slice(0, end).endsWith(tail)).toBe(true);
    }
    expect(splitter.push(text, true)).toEqual(splitWhole(text));
  });

  it("cuts at blank lines, headings and fences", () => {
    const text = "# Title\nText\n```js\na\n\nb\n```\nMore\n\nLast";
    expect(splitWhole(text).blocks).toEqual([
      "# Title\n",
      "Text\n",
      "```js\na\n\nb\n```\n",
      "More\n\n",
      "Last",
    ]);
  });

  it("keeps what can still grow in the tail", () => {
    const tailOf = (text: string) => new Splitter().push(text).tail;
    expect(tailOf("- a\n\n")).toBe("- a\n\n");
    expect(tailOf("| a |\n|---|\n| 1 |\n")).toBe("| a |\n|---|\n| 1 |\n");
    expect(tailOf("<!-- x\n\n")).toBe("<!-- x\n\n");
    expect(tailOf("[^1]: note\n\n")).toBe("[^1]: note\n\n");
  });

  it("tells of an open fence and leaves out what may be its end", () => {
    expect(new Splitter().push("text\n```py\nx = 1\n``").open).toEqual({
      kind: "fence",
      info: "py",
      body: "x = 1\n",
    });
    expect(new Splitter().push("$$\nx^2\n").open).toEqual({ kind: "maths", before: "", source: "$$\nx^2\n" });
    expect(new Splitter().push("so\n$$\nx").open).toEqual({ kind: "maths", before: "so\n", source: "$$\nx" });
  });

  it("starts again when the text is another one", () => {
    const splitter = new Splitter();
    splitter.push("one\n\ntwo\n\n");
    expect(splitter.push("other").blocks).toEqual([]);
    expect(splitter.push("other", true).blocks).toEqual(["other"]);
  });

  it("brings definitions to the blocks that use them", () => {
    const { blocks, definitions } = splitWhole("See [A b].\n\nNone.\n\n[a  B]: https://example.org\n");
    expect(blocks.map((block) => withDefinitions(block, definitions))).toEqual([
      "[a  B]: https://example.org\n\nSee [A b].\n\n",
      "None.\n\n",
      "[a  B]: https://example.org\n",
    ]);
  });
});
