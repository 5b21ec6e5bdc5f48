/** The page's side of the colouring worker: asks once per code, remembers the last ones. */
import { useEffect, useState } from "react";
import { languageName, loaderOf } from "./languages";
import type { HighlightAnswer, HighlightRequest, TokenLine } from "./tokens";

type Lines = readonly TokenLine[] | null;

const MAX_CODE_LENGTH = 120_000;
const MAX_REMEMBERED = 200;

const remembered = new Map<string, Lines>();
const waiting = new Map<number, (lines: Lines) => void>();
let worker: Worker | null = null;
let nextId = 1;

function start(): Worker | null {
  if (worker || typeof Worker === "undefined") return worker;
  worker = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  return worker;
}

function remember(key: string, lines: Lines): void {
  remembered.set(key, lines);
  const oldest = remembered.keys().next().value;
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

/** FNV-1a; with the length in the key a clash would only give another colour. */
function keyOf(code: string, language: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < code.length; at += 1) hash = Math.imul(hash ^ code.charCodeAt(at), 0x01000193);
  return `${language}:${code.length}:${hash >>> 0}`;
}

function ask(code: string, language: string, key: string): Promise<Lines> {
  const target = start();
  if (!target) return Promise.resolve(null);
  const id = nextId;
  nextId += 1;
  return new Promise((resolve) => {
    waiting.set(id, (lines) => {
      remember(key, lines);
      resolve(lines);
    });
    target.postMessage({ id, code, language } satisfies HighlightRequest);
  });
}

/** Starts the worker with the usual languages; call when the page is idle. */
export function warmHighlighter(): void {
  for (const language of ["typescript", "python", "bash", "json"]) void ask("", language, `warm:${language}`);
}

/** The coloured lines of a code block that is complete; `null` until they are there. */
export function useHighlight(code: string, language: string, complete: boolean): Lines {
  const name = languageName(language);
  const wanted = complete && loaderOf(name) !== null && code.length <= MAX_CODE_LENGTH;
  const key = wanted ? keyOf(code, name) : null;
  const [answer, setAnswer] = useState<{ key: string; lines: Lines } | null>(null);

  useEffect(() => {
    if (key === null || remembered.has(key)) return;
    let current = true;
    void ask(code, name, key).then((lines) => {
      if (current) setAnswer({ key, lines });
    });
    return () => {
      current = false;
    };
  }, [key, code, name]);

  if (key === null) return null;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  return answer?.key === key ? answer.lines : null;
}
