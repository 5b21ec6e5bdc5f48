import { byteCount } from "@/lib/byteCount";
import { describeError, type ErrorWords } from "@/lib/describeError";
import { sentence } from "@/lib/sentence";
import { rough } from "@/lib/tokenCount";
import type { ApiError, InstallProgress, LocalKeeper, LocalModel, OfferedModel } from "@/protocol/bindings";

/** Who has a model, for people. */
export const keeperNames: Record<LocalKeeper, string> = {
  managed: "llama-server",
  ollama: "Ollama",
  lmStudio: "LM Studio",
};

/** How a model is called: a title of the catalogue without what it says about the model. */
export function titleOf(title: string): string {
  return split(title)[0];
}

/** What a title says about its model; `null` when it is only a name. */
export function aboutOf(title: string): string | null {
  const about = split(title)[1];
  return about === "" ? null : sentence(about);
}

function split(title: string): [string, string] {
  const comma = title.indexOf(", ");
  return comma < 1 ? [title, ""] : [title.slice(0, comma), title.slice(comma + 2)];
}

/** What is known of a model that is here. */
export function installedFacts({ keeper, bytes, contextTokens }: LocalModel): string[] {
  return [
    bytes === null ? null : byteCount(bytes),
    contextTokens === null ? null : `reads ${rough(contextTokens)} tokens`,
    `run by ${keeperNames[keeper]}`,
  ].filter((fact) => fact !== null);
}

/** What to know before a model is fetched. */
export function offeredFacts(offered: OfferedModel): string[] {
  const { bytes, memoryBytes, contextTokens, licence, callsTools } = offered;
  return [
    `${byteCount(bytes)} to fetch`,
    `needs ${byteCount(memoryBytes)} of memory`,
    `reads ${rough(contextTokens)} tokens`,
    licence,
    ...(callsTools ? ["calls tools"] : []),
  ];
}

/** What speaks against fetching it. */
export function cautionsOf({ callsTools, hasChecksum }: OfferedModel): string[] {
  return [
    ...(callsTools ? [] : ["It does not call tools: it answers in words only."]),
    ...(hasChecksum
      ? []
      : ["Its checksum is not known: unless the server names one, only size and form are checked."]),
  ];
}

/** How far an installation is, and how much of it that is, when that can be told. */
export function stepOf(progress: InstallProgress): { words: string; part: number | null } {
  switch (progress.type) {
    case "starting":
      return { words: "Beginning…", part: null };
    case "downloading": {
      const { doneBytes, totalBytes } = progress;
      if (totalBytes === null || totalBytes <= 0)
        return { words: `${byteCount(doneBytes)} so far`, part: null };
      const part = Math.min(1, doneBytes / totalBytes);
      return { words: `${byteCount(doneBytes)} of ${byteCount(totalBytes)}`, part };
    }
    case "checking":
      return { words: "Checking the file…", part: null };
    case "measuring":
      return { words: `Trying it with ${threads(progress.threads)}…`, part: null };
    case "notTried":
      return { words: "It is here, but could not be tried.", part: null };
  }
}

function threads(count: number): string {
  return count === 1 ? "1 thread" : `${count} threads`;
}

/** What happens when a model is removed, before it is. */
export function lossOf({ keeper, bytes, isOurs, path, isInUse }: LocalModel): string {
  const size = bytes === null ? "" : ` (${byteCount(bytes)})`;
  const loss =
    keeper === "managed" && !isOurs
      ? `It leaves the list. You brought its file, so that stays${path === null ? "" : `: ${path}`}.`
      : `It is deleted for good${size}. To have it again, it must be fetched again.`;
  return isInUse ? `${loss} It is the one that answers: choose another one then.` : loss;
}

/**
 * The words of an error about a model on this computer. Its codes are shared with those of services,
 * whose words speak of keys and addresses; the message says what is the case here.
 */
export function localWords(error: ApiError): ErrorWords {
  const words = describeError(error);
  return error.code === "internal" ? words : { ...words, title: sentence(error.message) || words.title };
}
