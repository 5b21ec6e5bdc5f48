/** Keyword, string, number, function, comment, or plain. */
export type Kind = "k" | "s" | "n" | "f" | "c" | "";
export type Token = readonly [text: string, kind: Kind];
export type TokenLine = readonly Token[];

export type HighlightRequest = { id: number; code: string; language: string };
/** `null` when the language is not known. */
export type HighlightAnswer = { id: number; lines: readonly TokenLine[] | null };
