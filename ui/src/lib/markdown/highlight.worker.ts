/** Colours code away from the page. One message per block; answers may come in another order. */
import { createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { loaderOf } from "./languages";
import type { HighlightAnswer, HighlightRequest, Kind, Token } from "./tokens";

const THEME = "namma";
/** Patterns are compiled when first met, which takes its time on a busy machine; a cut line would stay half coloured. */
const LINE_LIMIT_MS = 10_000;
/** The theme gives each kind a colour that is only its name; the page has the real ones. */
const KINDS: Record<string, Kind> = {
  "#000001": "k",
  "#000002": "s",
  "#000003": "n",
  "#000004": "f",
  "#000005": "c",
};

function rule(color: string, scope: string) {
  return { scope: scope.split(" "), settings: { foreground: color } };
}

const theme = {
  name: THEME,
  type: "light" as const,
  fg: "#000000",
  bg: "#ffffff",
  settings: [
    { settings: { foreground: "#000000", background: "#ffffff" } },
    rule(
      "#000001",
      "keyword storage storage.type keyword.control variable.language entity.name.tag entity.name.section",
    ),
    rule("#000000", "keyword.operator.assignment punctuation"),
    rule(
      "#000002",
      "string string.quoted punctuation.definition.string markup.inline.raw string.regexp entity.name.import.go",
    ),
    rule("#000003", "constant.numeric constant.language constant.character constant.other support.constant"),
    rule(
      "#000004",
      "entity.name.function support.function meta.function-call entity.name.type support.type support.class entity.name.class entity.other.attribute-name support.type.property-name variable.other.key support.type.property-name",
    ),
    rule("#000005", "comment punctuation.definition.comment"),
    rule("#000002", "markup.inserted"),
    rule("#000003", "markup.deleted"),
  ],
};

let highlighter: Promise<HighlighterCore> | null = null;
const loaded = new Map<string, Promise<boolean>>();

function core(): Promise<HighlighterCore> {
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return highlighter;
}

function load(language: string): Promise<boolean> {
  const known = loaded.get(language);
  if (known) return known;
  const loader = loaderOf(language);
  const loading = loader
    ? Promise.all([core(), loader()]).then(async ([shiki, module]) => {
        await shiki.loadLanguage(module.default);
        return true;
      })
    : Promise.resolve(false);
  loaded.set(language, loading);
  return loading;
}

async function highlight({ id, code, language }: HighlightRequest): Promise<HighlightAnswer> {
  if (!(await load(language))) return { id, lines: null };
  const { tokens } = (await core()).codeToTokens(code, {
    lang: language,
    theme: THEME,
    tokenizeTimeLimit: LINE_LIMIT_MS,
  });
  const lines = tokens.map((line) =>
    line.map(({ content, color }): Token => [content, KINDS[color?.toLowerCase() ?? ""] ?? ""]),
  );
  return { id, lines: lines.map(joinSame) };
}

/** Neighbours of one kind become one token: half the elements in the page. */
function joinSame(line: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (const [text, kind] of line) {
    const last = out.at(-1);
    if (last && last[1] === kind) out[out.length - 1] = [last[0] + text, kind];
    else out.push([text, kind]);
  }
  return out;
}

addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  highlight(data).then(
    (answer) => postMessage(answer),
    // A grammar that fails leaves the code as plain text.
    () => postMessage({ id: data.id, lines: null } satisfies HighlightAnswer),
  );
});
