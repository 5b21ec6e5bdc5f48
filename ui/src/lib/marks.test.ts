import { describe, expect, it } from "vitest";
import { markWords } from "./marks";

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
