export type Piece = { readonly text: string; readonly hit: boolean; readonly at: number };

/** A text cut into pieces, with the words of a query told apart. */
export function markWords(text: string, query: string): readonly Piece[] {
  const words = query.split(/\s+/).filter((word) => word.length > 0);
  if (words.length === 0) return [{ text, hit: false, at: 0 }];
  const pattern = new RegExp(`(${words.map(asPattern).join("|")})`, "giu");
  let at = 0;
  return text
    .split(pattern)
    .map((piece, index) => {
      const start = at;
      at += piece.length;
      return { text: piece, hit: index % 2 === 1, at: start };
    })
    .filter((piece) => piece.text !== "");
}

function asPattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** A piece of Markdown as it would be read aloud: without the signs that only give it form. */
export function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__|~~|`+)/g, "")
    .replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "")
    .replace(/\s*\n+\s*/g, " · ");
}
