/** When dollars and `\(`, `\[` mean maths and when they mean money or brackets. */

export type DisplayMark = "$$" | "\\[";

/** Display maths longer than this is taken for a mark that was never closed. */
export const MAX_DISPLAY_LENGTH = 4000;
export const MAX_INLINE_LENGTH = 1000;

const CLOSING: Record<DisplayMark, string> = { $$: "$$", "\\[": "\\]" };

export function closingOf(mark: DisplayMark): string {
  return CLOSING[mark];
}

function indexOfUnescaped(text: string, mark: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith(mark, at)) return at;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

/** Whether a line begins display maths, and whether it also ends there. */
export function displayStart(line: string): { mark: DisplayMark; closed: boolean } | null {
  const match = /^ {0,3}(\$\$|\\\[)/.exec(line);
  if (!match) return null;
  const mark: DisplayMark = match[1] === "$$" ? "$$" : "\\[";
  if (line.startsWith("$", match[0].length)) return null;
  const closing = closingOf(mark);
  const end = indexOfUnescaped(line, closing, match[0].length);
  if (end < 0) return { mark, closed: false };
  const content = line.slice(match[0].length, end);
  return content.trim() !== "" && line.slice(end + closing.length).trim() === ""
    ? { mark, closed: true }
    : null;
}

/** Whether a later line ends display maths, or shows that it is none because text follows the mark. */
export function displayCloses(line: string, mark: DisplayMark): "closes" | "no" | "notMaths" {
  const closing = closingOf(mark);
  const end = indexOfUnescaped(line, closing, 0);
  if (end < 0) return "no";
  return line.slice(end + closing.length).trim() === "" ? "closes" : "notMaths";
}

/**
 * Whether text between single dollars is maths. Pandoc's rule (no space just inside, no digit after)
 * and one sign that it is a formula, so that "$5,$6" stays money and "$HOME" stays a variable.
 */
export function isInlineMaths(content: string, after: string): boolean {
  if (content === "" || content.length > MAX_INLINE_LENGTH) return false;
  if (/^\s|\s$/.test(content) || /^[A-Za-z0-9]/.test(after)) return false;
  if (/[\\^_{=]/.test(content)) return true;
  if (/^[A-Za-z]'*$/.test(content)) return true;
  // Short names joined by signs: `a+b`, `n < m`, `O(n)`; a run of letters is a word.
  return /^[A-Za-z(]/.test(content) && /[-+*/<>(|,]/.test(content) && !/[A-Za-z]{3}/.test(content);
}
