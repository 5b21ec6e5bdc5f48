/**
 * Cuts a growing Markdown text into blocks that will not change any more and a tail that may.
 *
 * Keeping two blocks together is always right, only slower; a cut is made where CommonMark says that
 * nothing later can reach back. The work of one call grows with the new lines, not with the answer.
 */
import {
  closesFence,
  type Fence,
  fenceOf,
  htmlStart,
  indentOf,
  isBlank,
  isDashes,
  isHeading,
  isQuote,
  isSetextUnderline,
  isTableDelimiter,
  isThematic,
  type Marker,
  markerOf,
  mayCloseFence,
} from "./lines";
import { type DisplayMark, displayCloses, displayStart, MAX_DISPLAY_LENGTH } from "./mathsRule";

/** What the tail holds when its end is still to come and its source should be shown as it is. */
export type OpenEnd =
  | { kind: "fence"; info: string; body: string }
  | { kind: "maths"; before: string; source: string };

export type Split = {
  blocks: readonly string[];
  tail: string;
  open: OpenEnd | null;
  /** Link and footnote definitions of the settled blocks, by normalised label. */
  definitions: ReadonlyMap<string, string>;
};

type Mode =
  | { kind: "start" }
  | { kind: "paragraph" }
  | { kind: "fence"; fence: Fence; body: number }
  /** `before`: what was open; it goes on when this turns out to be no maths. */
  | { kind: "maths"; mark: DisplayMark; from: number; before: Mode }
  | { kind: "list"; marker: Marker; blank: boolean }
  | { kind: "note"; blank: boolean }
  | { kind: "indented"; blank: boolean }
  | { kind: "html"; end: RegExp | null };

const START: Mode = { kind: "start" };
const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.)+)\]:[ \t]*\S/;

export function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

export class Splitter {
  private text = "";
  private blocks: string[] = [];
  private definitions = new Map<string, string>();
  /** Start of the tail. */
  private at = 0;
  /** Start of the first line that was not looked at. */
  private scan = 0;
  private mode: Mode = START;
  /** Starts of lines that look like display maths and are not. */
  private notMaths = new Set<number>();

  /** Takes the whole text so far; `done` when nothing will be added. */
  push(text: string, done = false): Split {
    if (!text.startsWith(this.text)) this.reset();
    this.text = text;
    while (this.scan < text.length) {
      const end = text.indexOf("\n", this.scan);
      if (end < 0) break;
      const from = this.scan;
      this.scan = end + 1;
      this.line(text.slice(from, end).replace(/\r$/, ""), from);
    }
    if (done && this.scan < text.length) {
      const from = this.scan;
      this.scan = text.length;
      this.line(text.slice(from), from);
    }
    while (done && this.mode.kind === "maths") this.refuseMaths(this.mode, text.length);
    if (done) this.cut(text.length);
    return {
      blocks: this.blocks,
      tail: text.slice(this.at),
      open: this.open(),
      definitions: this.definitions,
    };
  }

  private reset() {
    this.blocks = [];
    this.definitions = new Map();
    this.at = 0;
    this.scan = 0;
    this.mode = START;
    this.notMaths = new Set();
  }

  private cut(to: number) {
    const block = this.text.slice(this.at, to);
    this.at = to;
    this.mode = START;
    if (isBlank(block.replaceAll("\n", " ").replaceAll("\r", " "))) return;
    this.blocks = [...this.blocks, block];
    this.define(block);
  }

  private define(block: string) {
    const note = /^ {0,3}\[\^([^\]\s]+)\]:/.exec(block);
    if (note?.[1] !== undefined) {
      this.add(`^${note[1]}`, block.trimEnd());
      return;
    }
    for (const line of block.split("\n")) {
      const label = DEFINITION.exec(line)?.[1];
      if (label === undefined) return;
      this.add(label, line);
    }
  }

  private add(label: string, source: string) {
    const key = normalLabel(label);
    // The first definition of a label wins, as in CommonMark.
    if (!this.definitions.has(key)) this.definitions = new Map(this.definitions).set(key, source);
  }

  private line(line: string, from: number) {
    const mode = this.mode;
    switch (mode.kind) {
      case "fence":
        if (closesFence(line, mode.fence)) this.cut(this.scan);
        return;
      case "maths":
        return this.mathsLine(mode, line, from);
      case "html":
        if (mode.end ? mode.end.test(line) : isBlank(line)) this.cut(this.scan);
        return;
      case "start":
        return this.begin(line, from, false);
      case "paragraph":
        return this.paragraphLine(line, from);
      case "list":
        return this.listLine(mode, line, from);
      case "note":
      case "indented":
        return this.indentedLine(mode, line, from);
    }
  }

  /** A line at the start of a block. */
  private begin(line: string, from: number, afterParagraph: boolean) {
    if (isBlank(line)) return;
    if (!afterParagraph && indentOf(line) >= 4) {
      this.mode = { kind: "indented", blank: false };
      return;
    }
    const fence = fenceOf(line);
    if (fence) {
      this.mode = { kind: "fence", fence, body: this.scan };
      return;
    }
    if (isHeading(line) || isThematic(line)) return this.cut(this.scan);
    if (this.beginMaths(line, from)) return;
    const html = htmlStart(line, false);
    if (html) {
      this.mode = { kind: "html", end: html.end };
      if (html.end?.test(line)) this.cut(this.scan);
      return;
    }
    const marker = markerOf(line);
    if (marker) this.mode = { kind: "list", marker, blank: false };
    else if (/^ {0,3}\[\^[^\]\s]+\]:/.test(line)) this.mode = { kind: "note", blank: false };
    else this.mode = { kind: "paragraph" };
  }

  private beginMaths(line: string, from: number): boolean {
    if (this.notMaths.has(from)) return false;
    const start = displayStart(line);
    if (!start) return false;
    if (start.closed) {
      this.cut(from);
      this.cut(this.scan);
    } else this.mode = { kind: "maths", mark: start.mark, from, before: this.mode };
    return true;
  }

  private mathsLine(mode: Extract<Mode, { kind: "maths" }>, line: string, from: number) {
    const closes = displayCloses(line, mode.mark);
    if (closes === "closes" && this.scan - mode.from <= MAX_DISPLAY_LENGTH) {
      this.cut(mode.from);
      return this.cut(this.scan);
    }
    if (closes === "no" && from - mode.from <= MAX_DISPLAY_LENGTH) return;
    this.refuseMaths(mode, this.scan);
  }

  /** It never was maths: looks at its lines again as part of what was open before. */
  private refuseMaths({ from, before }: Extract<Mode, { kind: "maths" }>, until: number) {
    this.notMaths.add(from);
    this.scan = from;
    this.mode = before;
    while (this.scan < until) {
      const end = this.text.indexOf("\n", this.scan);
      const start = this.scan;
      this.scan = end < 0 ? this.text.length : end + 1;
      this.line(this.text.slice(start, end < 0 ? undefined : end).replace(/\r$/, ""), start);
    }
  }

  /** Whether this line ends a paragraph that is open before it. */
  private interrupts(line: string, from: number): boolean {
    if (indentOf(line) >= 4) return false;
    if (fenceOf(line) || isHeading(line) || isThematic(line) || htmlStart(line, true)) return true;
    if (!this.notMaths.has(from) && displayStart(line)?.closed) return true;
    const marker = markerOf(line);
    return marker !== null && !marker.empty && marker.start === 1;
  }

  private paragraphLine(line: string, from: number) {
    if (isBlank(line)) return this.cut(this.scan);
    if (this.beginMaths(line, from)) return;
    const marker = markerOf(line);
    if (!marker && isTableDelimiter(line)) return;
    // Under a paragraph it makes a heading, under a quote or table it is a rule: the block ends either way.
    if (isDashes(line)) return this.cut(this.scan);
    if (this.interrupts(line, from)) {
      this.cut(from);
      return this.begin(line, from, true);
    }
    // Inside a paragraph it is text, after a heading in a quote it begins a list: keep the two together.
    if (marker && !isSetextUnderline(line)) this.mode = { kind: "list", marker, blank: false };
  }

  private listLine(mode: Extract<Mode, { kind: "list" }>, line: string, from: number) {
    if (isBlank(line)) {
      mode.blank = true;
      return;
    }
    const indent = indentOf(line);
    const wasBlank = mode.blank;
    mode.blank = false;
    if (indent >= mode.marker.content || indent >= 4) return;
    if (!wasBlank && this.beginMaths(line, from)) return;
    const marker = isThematic(line) ? null : markerOf(line);
    if (marker?.kind === mode.marker.kind) {
      mode.marker = marker;
      return;
    }
    const ends = wasBlank || marker !== null || isQuote(line) || this.interrupts(line, from);
    if (!ends) return;
    this.cut(from);
    this.begin(line, from, false);
  }

  private indentedLine(mode: Extract<Mode, { kind: "note" | "indented" }>, line: string, from: number) {
    if (isBlank(line)) {
      mode.blank = true;
      return;
    }
    if (indentOf(line) >= 4) return;
    if (mode.kind === "note" && !mode.blank && !this.interrupts(line, from) && !/^ {0,3}\[/.test(line))
      return;
    this.cut(from);
    this.begin(line, from, false);
  }

  private open(): OpenEnd | null {
    const mode = this.mode;
    if (mode.kind === "maths") {
      return {
        kind: "maths",
        before: this.text.slice(this.at, mode.from),
        source: this.text.slice(mode.from),
      };
    }
    if (mode.kind !== "fence") return null;
    const { fence } = mode;
    let body = this.text.slice(mode.body);
    const last = body.lastIndexOf("\n") + 1;
    if (mayCloseFence(body.slice(last), fence)) body = body.slice(0, last);
    if (fence.indent > 0) body = body.replace(new RegExp(`^ {1,${fence.indent}}`, "gm"), "");
    return { kind: "fence", info: fence.info, body };
  }
}

/** The blocks of a text that is complete. */
export function splitWhole(text: string): Split {
  return new Splitter().push(text, true);
}

const REFERENCE = /\[((?:[^[\]\\]|\\.)+)\]/g;

/** A block with the definitions it refers to in front; the block itself when it refers to none. */
export function withDefinitions(block: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0 || !block.includes("[")) return block;
  const used = new Set<string>();
  for (const [, label = ""] of block.matchAll(REFERENCE)) {
    const source = definitions.get(normalLabel(label));
    if (source !== undefined && !block.startsWith(source)) used.add(source);
  }
  return used.size === 0 ? block : `${[...used].join("\n\n")}\n\n${block}`;
}
