/** What one line of Markdown can begin or end, seen alone. Follows CommonMark 0.31 and GFM. */

export type Fence = { char: string; size: number; indent: number; info: string };
export type Marker = { kind: string; content: number; empty: boolean; start: number };

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*(.*)$/;
const MARKER = /^( {0,3})([-+*]|\d{1,9}[.)])(?:([ \t]+)(.*))?$/;
const THEMATIC = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HTML_BLOCKS =
  "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
  "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
  "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
  "title tr track ul";
const HTML_BLOCK = new RegExp(`^ {0,3}</?(?:${HTML_BLOCKS.replaceAll(" ", "|")})(?:[ \\t>]|/>|$)`, "i");
const HTML_ALONE = /^ {0,3}<(?:\/[a-z][\w-]*[ \t]*|[a-z][\w-]*(?:[ \t]+[^<>]*)?\/?)>[ \t]*$/i;
const HTML_RAW: readonly (readonly [RegExp, RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![a-z]/i, />/],
];

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

/** Columns of white space at the start; a tab goes to the next stop of four. */
export function indentOf(line: string): number {
  let column = 0;
  for (const char of line) {
    if (char === " ") column += 1;
    else if (char === "\t") column += 4 - (column % 4);
    else break;
  }
  return column;
}

export function fenceOf(line: string): Fence | null {
  const match = FENCE.exec(line);
  if (!match) return null;
  const [, indent = "", marks = "", info = ""] = match;
  const char = marks.charAt(0);
  if (char === "`" && info.includes("`")) return null;
  return { char, size: marks.length, indent: indent.length, info: info.trim() };
}

export function closesFence(line: string, fence: Fence): boolean {
  const match = FENCE.exec(line);
  return (
    match?.[2] !== undefined &&
    match[2].charAt(0) === fence.char &&
    match[2].length >= fence.size &&
    match[3] === ""
  );
}

/** Whether the line could still become the end of the fence when more of it arrives. */
export function mayCloseFence(line: string, fence: Fence): boolean {
  const marks = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return marks?.charAt(0) === fence.char;
}

export function markerOf(line: string): Marker | null {
  const match = MARKER.exec(line);
  if (!match) return null;
  const [, indent = "", mark = "", gap = "", rest = ""] = match;
  const empty = rest.trim() === "";
  const width = gap === "" || empty || indentOf(gap) > 4 ? 1 : indentOf(gap);
  const ordered = mark.length > 1;
  return {
    kind: ordered ? mark.slice(-1) : mark,
    content: indent.length + mark.length + width,
    empty,
    start: ordered ? Number(mark.slice(0, -1)) : 1,
  };
}

export function isThematic(line: string): boolean {
  return THEMATIC.test(line);
}

export function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);
}

/** An underline of dashes that is a rule where it cannot make a heading. */
export function isDashes(line: string): boolean {
  return /^ {0,3}-{3,}[ \t]*$/.test(line);
}

export function isSetextUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

export function isTableDelimiter(line: string): boolean {
  return /^[ \t|:-]+$/.test(line) && line.includes("|") && line.includes("-");
}

export function isQuote(line: string): boolean {
  return /^ {0,3}>/.test(line);
}

/** How a block of HTML that starts here ends: by a pattern, at a blank line (`null`), or it is none. */
export function htmlStart(line: string, afterParagraph: boolean): { end: RegExp | null } | undefined {
  for (const [start, end] of HTML_RAW) if (start.test(line)) return { end };
  if (HTML_BLOCK.test(line) || (!afterParagraph && HTML_ALONE.test(line))) return { end: null };
  return undefined;
}
