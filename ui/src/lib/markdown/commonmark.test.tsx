/** The examples of the CommonMark specification, as they come from a model: one character more each time. */
import { cleanup, render } from "@testing-library/react";
import { tests } from "commonmark-spec";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { htmlOf } from "./htmlOf";
import { Markdown } from "./Markdown";
import { MarkdownBlock } from "./MarkdownBlock";
import { Splitter, splitWhole } from "./settle";

// What is looked at here is each prefix, not when it is shown.
vi.mock("./useFlushed", () => ({ useFlushed: (text: string) => text }));

const examples = tests.map(({ markdown, section, number }) => ({
  text: markdown.replaceAll("→", "\t"),
  section,
  number,
}));
const sections = [...new Set(examples.map(({ section }) => section))];
const of = (section: string) => examples.filter((example) => example.section === section);

/** Half a word is to the renderer what a word is: leaving these out halves the time. The splitter gets all. */
const isInsideWord = (text: string, end: number) => /^[a-z]{2}$/.test(text.slice(end - 1, end + 1));

afterEach(cleanup);

it("are all there", () => {
  expect(examples).toHaveLength(652);
});

describe("every prefix of every example", () => {
  it.each(sections)("splits into blocks that stay: %s", (section) => {
    for (const { text, number } of of(section)) {
      const splitter = new Splitter();
      const whole = splitWhole(text);
      for (let end = 0; end < text.length; end += 1) {
        const { blocks, tail } = splitter.push(text.slice(0, end));
        expect(blocks, `example ${number}, first ${end}`).toEqual(whole.blocks.slice(0, blocks.length));
        expect(text.slice(0, end).endsWith(tail)).toBe(true);
      }
      expect(splitter.push(text, true), `example ${number}`).toEqual(whole);
    }
  });

  it.each(sections)("renders, but for half words, and the last one as if at once: %s", (section) => {
    for (const { text, number } of of(section)) {
      const container = document.createElement("div");
      const root = createRoot(container);
      const show = (shown: string, growing: boolean) =>
        flushSync(() => root.render(<Markdown text={shown} growing={growing} />));
      for (let end = 1; end <= text.length; end += 1) {
        if (!isInsideWord(text, end)) show(text.slice(0, end), true);
      }
      show(text, false);
      const once = render(<Markdown text={text} growing={false} />);
      expect(container.innerHTML, `example ${number}`).toBe(once.container.innerHTML);
      root.unmount();
      cleanup();
    }
  });
});

/**
 * Where blocks mean less than one piece, which is the price of rendering a block only once: HTML around blank
 * lines, and link definitions that take several lines, stand in a quote, look like one and are none, or are
 * found by the case rules of German.
 */
const KNOWN_TO_DIFFER = [167, 190, 191, 193, 195, 196, 197, 198, 201, 217, 218, 540, 541];

it("every other example means the same in blocks as in one piece", () => {
  const different = examples.filter(({ text }) => {
    const blocks = render(<Markdown text={text} growing={false} />);
    const whole = render(
      <div className="answer">
        <div>
          <MarkdownBlock text={`${text}\n`} />
        </div>
      </div>,
    );
    const same = htmlOf(blocks.container) === htmlOf(whole.container);
    cleanup();
    return !same;
  });
  expect(different.map(({ number }) => number)).toEqual(KNOWN_TO_DIFFER);
});
