import { describe, expect, it } from "vitest";
import { sourceFiles } from "@/test/files";

type Oklch = readonly [lightness: number, chroma: number, hue: number];
type Theme = Readonly<Record<string, Oklch>>;

const tokens = sourceFiles("tokens.css")[0]?.text.replace(/\/\*[\s\S]*?\*\//g, "") ?? "";

const themes = {
  day: readTheme(/\[data-theme="light"\]\s*\{([\s\S]*?)\n\}/),
  night: readTheme(/\n\[data-theme="dark"\]\s*\{([\s\S]*?)\n\}/),
};

function readTheme(pattern: RegExp): Theme {
  const body = pattern.exec(tokens)?.[1] ?? "";
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*oklch\(([^/)]+)\)/g)].map(([, name = "", value = ""]) => {
      const [lightness = 0, chroma = 0, hue = 0] = value.trim().split(/\s+/).map(Number);
      return [name, [lightness, chroma, hue] as const];
    }),
  );
}

function linearRgb([lightness, chroma, hue]: Oklch): readonly [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function luminance(colour: Oklch): number {
  const [red, green, blue] = linearRgb(colour).map((value) => Math.min(1, Math.max(0, value)));
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: Oklch, other: Oklch): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const text = 4.5;
const control = 3;
type Pair = readonly [front: string, back: string, least: number];
const onEach = (front: string, backs: readonly string[]): Pair[] => backs.map((back) => [front, back, text]);

const pairs: readonly Pair[] = [
  ...["ink", "ink-2", "ink-3"].flatMap((ink) =>
    onEach(ink, ["canvas", "surface", "raised", "sunken", "hover", "turn-wash"]),
  ),
  ...onEach("ink", ["press", "neeli-wash"]),
  ...onEach("ink-2", ["press"]),
  ...onEach("neeli", ["canvas", "surface", "raised", "neeli-wash", "sunken"]),
  ...onEach("on-neeli", ["neeli-fill"]),
  ...onEach("on-turn", ["turn", "turn-hover"]),
  ...onEach("turn-text", ["surface", "canvas", "turn-wash"]),
  ...onEach("ok", ["surface", "ok-wash", "turn-wash", "sunken"]),
  ...onEach("danger", ["surface", "danger-wash", "turn-wash", "sunken"]),
  ...["syn-key", "syn-str", "syn-num", "syn-fn", "syn-com"].flatMap((name) => onEach(name, ["sunken"])),
  ["control", "surface", control],
  ["control", "raised", control],
  ["neeli", "raised", control],
];

describe.each(Object.entries(themes))("the tokens by %s", (_name, theme) => {
  it.each(pairs)("%s reads on %s", (front, back, least) => {
    const [one, other] = [theme[front], theme[back]];
    if (!one || !other) throw new Error(`there is no ${front} or ${back}`);
    expect(contrast(one, other)).toBeGreaterThanOrEqual(least);
  });

  it("stay inside sRGB", () => {
    const outside = Object.entries(theme).filter(([, colour]) =>
      linearRgb(colour).some((value) => value < -0.002 || value > 1.002),
    );
    expect(outside.map(([name]) => name)).toEqual([]);
  });
});

/** What leaves the page by the clipboard brings its own values along. */
const elsewhere = new Set(["theme/tokens.css", "lib/markdown/DataTable.tsx"]);
/** The typography of answers is set to the pixel, as in the design. */
const toThePixel = new Set(["lib/markdown/markdown.css"]);

const styled = sourceFiles(".tsx", ".css").filter(({ path }) => !elsewhere.has(path));

/** Every place where a pattern is found, as "file: match". */
function places(pattern: RegExp): string[] {
  return styled.flatMap(({ path, text: source }) =>
    [...source.matchAll(pattern)].map(([match]) => `${path}: ${match.trim()}`),
  );
}

describe("what is written in styles", () => {
  it("has no colour of its own", () => {
    expect(places(/#[0-9a-f]{3,8}\b(?=["';\s)])|\b(?:rgb|hsl|oklch)a?\(/gi)).toEqual([]);
  });

  it("has no length in pixels above 2, but the grid", () => {
    const lengths = places(/(?<![\d.])(?:[3-9]|\d{2,})(?:\.\d+)?px\b/g).filter(
      (place) => !toThePixel.has(place.split(":")[0] ?? ""),
    );
    expect(lengths).toEqual(["theme/index.css: 4px"]);
  });

  it("knows start and end, not left and right", () => {
    expect(
      places(
        /[\s"':](?:-?(?:ml|mr|pl|pr|left|right|border-[lr]|rounded-[lr])-[\w[(]|text-(?:left|right)\b)[\w./-]*/g,
      ),
    ).toEqual([]);
    expect(places(/^\s*(?:margin|padding|border)?-?(?:left|right)\s*:/gm)).toEqual([]);
  });

  it("uses turmeric only where something waits for the person", () => {
    const users = styled.filter(
      ({ path, text: source }) =>
        path.endsWith(".tsx") &&
        /\b(?:bg|text|border|fill|stroke|ring)-(?:on-)?turn\b|-turn-(?:hover|text|wash|line)\b/.test(source),
    );
    const free = users
      .map(({ path }) => path)
      .filter((path) => !mayUseTurn.has(path) && !path.startsWith("features/chat/"));
    expect(free).toEqual([]);
  });
});

const mayUseTurn = new Set([
  "components/Button.tsx",
  "components/Mark.tsx",
  "components/TurnDot.tsx",
  "features/sessions/SessionList.tsx",
]);
