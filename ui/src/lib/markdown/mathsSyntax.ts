/**
 * Maths for the Markdown parser: `$…$` by our rule, `$$…$$`, `\(…\)` and `\[…\]`.
 *
 * Inline maths becomes inline code with the class `maths-inline`, display maths a code block of the
 * language `math`: the parser then needs no node types of ours, and the components know both.
 */
import type { Extension as FromMarkdown } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";
import type { Processor } from "unified";
import {
  closingOf,
  type DisplayMark,
  displayCloses,
  displayStart,
  isInlineMaths,
  MAX_DISPLAY_LENGTH,
  MAX_INLINE_LENGTH,
} from "./mathsRule";

declare module "micromark-util-types" {
  interface TokenTypeMap {
    inlineMaths: "inlineMaths";
    inlineMathsData: "inlineMathsData";
    displayMaths: "displayMaths";
    displayMathsData: "displayMathsData";
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
type DataToken = "inlineMathsData" | "displayMathsData";

function isLineEnd(code: Code): code is -5 | -4 | -3 {
  return code !== null && code < -2;
}

/** The character of a code; tabs and virtual spaces are spaces. */
function charOf(code: Code): string {
  if (code === null) return "";
  return code < 0 ? " " : String.fromCodePoint(code);
}

/** Consumes text into data tokens, one a line, as the parser wants it. */
function dataWriter(effects: Effects, type: DataToken) {
  let open = false;
  const close = () => {
    if (open) effects.exit(type);
    open = false;
  };
  return {
    close,
    take(code: Code) {
      if (!open) effects.enter(type);
      open = true;
      effects.consume(code);
    },
    lineEnd(code: Code) {
      close();
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
    },
  };
}

type Inline = {
  opening: string;
  closing: string;
  accepts: (content: string, after: string) => boolean;
  /** So many closing marks may turn out to be none before the opening one is taken for text. */
  refusals: number;
};

const NOT_EMPTY = (content: string) => content.trim() !== "" && content.length <= MAX_INLINE_LENGTH;
const INLINE: readonly Inline[] = [
  { opening: "$$", closing: "$$", accepts: NOT_EMPTY, refusals: 4 },
  { opening: "$", closing: "$", accepts: isInlineMaths, refusals: 0 },
  { opening: "\\(", closing: "\\)", accepts: NOT_EMPTY, refusals: 4 },
  { opening: "\\[", closing: "\\]", accepts: NOT_EMPTY, refusals: 4 },
];

function inlineConstruct({ opening, closing, accepts, refusals }: Inline): Construct {
  return {
    name: "inlineMaths",
    previous(code) {
      return code !== DOLLAR || opening !== "$" || this.events.at(-1)?.[1].type === "characterEscape";
    },
    tokenize(effects, ok, nok) {
      const data = dataWriter(effects, "inlineMathsData");
      let read = "";
      let refused = 0;
      const end = (code: Code): State | undefined => {
        const content = read.slice(opening.length, -closing.length);
        if (!accepts(content, charOf(code))) return undefined;
        data.close();
        effects.exit("inlineMaths");
        return ok;
      };
      const isClosed = () =>
        read.length > opening.length + closing.length && read.endsWith(closing) && !escapes(read, closing);
      const next: State = (code) => {
        if (isClosed()) {
          const after = end(code);
          if (after) return after(code);
          refused += 1;
        }
        // Bounds the work on a text full of marks.
        const nested = opening.startsWith("\\") && read.length > 2 && read.endsWith(opening);
        if (refused > refusals || nested) return nok(code);
        if (code === null || read.length > MAX_INLINE_LENGTH + 4) return nok(code);
        if (isLineEnd(code)) {
          data.lineEnd(code);
          read += "\n";
          return next;
        }
        if (read.length < opening.length && charOf(code) !== opening[read.length]) return nok(code);
        data.take(code);
        read += charOf(code);
        return next;
      };
      return (code) => {
        effects.enter("inlineMaths");
        return next(code);
      };
    },
  };
}

/** Whether the mark at the end of the text is itself escaped: `\$`, but not `\\$`. */
function escapes(text: string, mark: string): boolean {
  if (mark.startsWith("\\")) return false;
  let count = 0;
  for (let at = text.length - mark.length - 1; text[at] === "\\"; at -= 1) count += 1;
  return count % 2 === 1;
}

const nonLazyLineEnd: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
    };
  },
};

function tokenizeDisplay(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  const data = dataWriter(effects, "displayMathsData");
  let line = "";
  let length = 0;
  let mark: DisplayMark | null = null;

  /** What the line just read means: the end, one more line, or no maths at all. */
  const judge = (): "closes" | "no" | "notMaths" => {
    if (mark) return displayCloses(line, mark);
    const start = displayStart(line);
    if (!start) return "notMaths";
    mark = start.mark;
    return start.closed ? "closes" : "no";
  };
  const nextLine: State = (code) => {
    line = "";
    return inLine(code);
  };
  const inLine: State = (code) => {
    if (code !== null && !isLineEnd(code)) {
      data.take(code);
      line += charOf(code);
      length += 1;
      return inLine;
    }
    data.close();
    const verdict = length > MAX_DISPLAY_LENGTH ? "notMaths" : judge();
    if (verdict === "closes") {
      effects.exit("displayMaths");
      return ok(code);
    }
    if (verdict === "notMaths" || code === null) return nok(code);
    return effects.attempt(nonLazyLineEnd, nextLine, nok)(code);
  };
  return (code) => {
    effects.enter("displayMaths");
    return inLine(code);
  };
}

const DISPLAY: Construct = { name: "displayMaths", concrete: true, tokenize: tokenizeDisplay };

function syntax(): Extension {
  const [double, single, round, square] = INLINE.map(inlineConstruct);
  const constructs = (list: readonly (Construct | undefined)[]) => list.filter((one) => one !== undefined);
  return {
    flow: { [DOLLAR]: DISPLAY, [BACKSLASH]: DISPLAY },
    text: { [DOLLAR]: constructs([double, single]), [BACKSLASH]: constructs([round, square]) },
  };
}

/** The formula without its marks. */
function withoutMarks(raw: string): string {
  const source = raw.trim();
  const inline = INLINE.find(
    ({ opening, closing }) => source.startsWith(opening) && source.endsWith(closing),
  );
  if (inline) return source.slice(inline.opening.length, -inline.closing.length).trim();
  const mark = displayStart(source.split("\n", 1)[0] ?? "")?.mark;
  return mark ? source.slice(mark.length, -closingOf(mark).length).trim() : source;
}

function fromMarkdown(): FromMarkdown {
  return {
    enter: {
      inlineMaths(token) {
        this.enter({ type: "inlineCode", value: "" }, token);
        this.buffer();
      },
      displayMaths(token) {
        this.enter({ type: "code", lang: "math", value: "" }, token);
        this.buffer();
      },
    },
    exit: {
      inlineMaths(token) {
        const raw = this.resume();
        const node = this.stack.at(-1);
        if (node?.type === "inlineCode") {
          node.value = withoutMarks(raw);
          const display = raw.startsWith("$$") || raw.startsWith("\\[");
          node.data = { hProperties: { className: [display ? "maths-display" : "maths-inline"] } };
        }
        this.exit(token);
      },
      displayMaths(token) {
        const raw = this.resume();
        const node = this.stack.at(-1);
        if (node?.type === "code") node.value = withoutMarks(raw);
        this.exit(token);
      },
      inlineMathsData(token) {
        this.config.enter.data?.call(this, token);
        this.config.exit.data?.call(this, token);
      },
      displayMathsData(token) {
        this.config.enter.data?.call(this, token);
        this.config.exit.data?.call(this, token);
      },
    },
  };
}

/** The plugin for remark. */
export function remarkMaths(this: Processor): void {
  const data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] } = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), fromMarkdown()];
}
