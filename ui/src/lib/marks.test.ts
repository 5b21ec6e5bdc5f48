import { describe, expect, it } from "vitest";
import { markWords, withoutMarkup } from "./marks";

describe("markWords", () => {
  it("marks each word wherever it stands, without looking at case", () => {
    const pieces = markWords("The bills: file the Bills", "bills file");
    expect(pieces.filter((piece) => piece.hit).map((piece) => piece.text)).toEqual([
      "bills",
      "file",
      "Bills",
    ]);
    expect(pieces.map((piece) => piece.text).join("")).toBe("The bills: file the Bills");
  });

  it("takes signs as they are", () => {
    expect(markWords("a (b) c", "(b)").filter((piece) => piece.hit)).toHaveLength(1);
    expect(markWords("1-2", "1-2")).toEqual([{ text: "1-2", hit: true, at: 0 }]);
  });

  it("leaves the text alone without a query", () => {
    expect(markWords("abc", " ")).toEqual([{ text: "abc", hit: false, at: 0 }]);
  });
});

describe("withoutMarkup", () => {
  it("leaves the words", () => {
    expect(withoutMarkup("## Bills\n- **two** of `three`\n- [a link](https://example.org)")).toBe(
      "Bills · two of three · a link",
    );
  });

  it("does not touch a text that has none", () => {
    expect(withoutMarkup("5 * 3 is 15, snake_case stays")).toBe("5 * 3 is 15, snake_case stays");
  });
});
