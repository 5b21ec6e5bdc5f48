import { describe, expect, it } from "vitest";
import { harmless } from "./mermaid";

describe("a drawing", () => {
  it("keeps its shapes and loses all that acts or fetches", () => {
    const drawing = harmless(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="alert(1)">' +
        '<script>alert(2)</script><foreignObject><b>x</b></foreignObject><image xlink:href="https://evil.example/x"/>' +
        '<a href="javascript:alert(3)"><text onclick="alert(4)">word</text></a>' +
        '<rect fill="url(https://evil.example/f)" stroke="url(#mine)"/><path d="M0 0"/></svg>',
    );
    if (!drawing.ok) throw new Error(drawing.message);
    const text = drawing.svg.outerHTML;
    expect(text).toContain("<path");
    expect(text).toContain("url(#mine)");
    expect(text).not.toMatch(/script|onload|onclick|foreignObject|<image|evil\.example|javascript/i);
  });

  it("is none when it is no picture", () => {
    expect(harmless("<p>x</p>").ok).toBe(false);
  });
});
