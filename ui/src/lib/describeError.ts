import type { ApiError, ErrorCode } from "@/protocol/bindings";
import { sentence } from "./sentence";

/** What a person can do about an error. A failed turn shows all of them. */
export type ErrorAction =
  | "retry"
  | "addKey"
  | "replaceKey"
  | "testKey"
  | "useLocal"
  | "pickModel"
  | "pickLarger"
  | "switchModel"
  | "openProviders"
  | "openStatus"
  | "talkOnly"
  | "newChat"
  | "editQuestion";

export type ErrorWords = {
  /** One sentence: what is the case. */
  readonly title: string;
  /** What to do, when the title does not say it. */
  readonly hint: string | null;
  /** The most useful first. */
  readonly actions: readonly ErrorAction[];
  /** When it is worth trying again by itself; counts down on screen. */
  readonly retryAfterMs: number | null;
};

export type ErrorContext = {
  /** The vendor's name for people: "Ollama", "api.example.com". */
  readonly provider?: string;
  readonly model?: string;
};

/** The words of an error. Branches on the code only; the message is for the details. */
export function describeError(error: ApiError, context: ErrorContext = {}): ErrorWords {
  const who = context.provider || "The model server";
  const { title, actions, hint } = words(error, who, context);
  return { title, hint: error.hint ?? hint ?? null, actions, retryAfterMs: error.retryAfterMs };
}

type Words = { title: string; actions: readonly ErrorAction[]; hint?: string };

function words(error: ApiError, who: string, context: ErrorContext): Words {
  const wait = error.retryAfterMs === null ? null : waitWords(error.retryAfterMs);
  const table: Record<ErrorCode, Words> = {
    notConfigured: {
      title: "There is no model to ask yet.",
      actions: ["openProviders", "retry"],
    },
    keyMissing: {
      title: who === "The model server" ? "There is no key yet." : `There is no key for ${who} yet.`,
      actions: ["addKey", "useLocal", "retry"],
    },
    keyRefused: {
      title: `${who} refused the key (401).`,
      actions: ["replaceKey", "testKey", "retry"],
      hint: "It may be mistyped, expired or made for another service.",
    },
    noCredit: {
      title: `The ${who === "The model server" ? "provider" : who} account is out of credit.`,
      actions: ["switchModel", "retry"],
    },
    rateLimited: {
      title: `${who} asks us to wait${wait === null ? "" : ` ${wait}`}.`,
      actions: ["retry", "switchModel"],
    },
    modelNotFound: {
      title: context.model ? `This account has no “${context.model}”.` : "There is no such model.",
      actions: ["pickModel"],
    },
    toolsUnsupported: {
      title: context.model
        ? `The model “${context.model}” cannot use tools.`
        : "This model cannot use tools.",
      actions: ["switchModel", "talkOnly"],
      hint: "It can answer in words, or another model can do the work.",
    },
    contextTooLong: {
      title: "This chat is longer than the model can read at once.",
      actions: ["newChat", "pickLarger"],
    },
    badRequest: {
      title: `${who} could not use this request.`,
      actions: ["editQuestion", "switchModel"],
      hint: "Sending the same again will not help.",
    },
    serverFailed: {
      title: `${who} isn't answering${wait === null ? "" : ` and asks us to wait ${wait}`}.`,
      actions: ["retry", "switchModel"],
    },
    unreachable: {
      title: `Can't reach ${who === "The model server" ? "the model server" : who}.`,
      actions: ["retry", "openProviders"],
      hint: "Check the connection and the address.",
    },
    timedOut: { title: `${who} took too long.`, actions: ["retry", "switchModel"] },
    streamCut: {
      title: "The answer broke off.",
      actions: ["retry"],
      hint: "What arrived is kept.",
    },
    malformed: {
      title: `${who} sent something that isn't an answer.`,
      actions: ["retry", "openProviders"],
      hint: "The address may belong to another kind of server.",
    },
    contentFiltered: { title: `${who} blocked this answer.`, actions: ["editQuestion"] },
    emptyAnswer: { title: "The model answered with nothing.", actions: ["retry", "switchModel"] },
    stopped: { title: "It was stopped.", actions: [] },
    busy: { title: "This chat is still working on your last question.", actions: [] },
    notFound: { title: "That no longer exists.", actions: [] },
    invalidInput: { title: sentence(error.message) || "Something is not right.", actions: [] },
    approvalChanged: {
      title: "The action changed after you saw it, so it did not run.",
      actions: [],
      hint: "Look at the new question.",
    },
    databaseDamaged: {
      title: "The file with your chats is damaged. A copy was kept.",
      actions: ["openStatus"],
    },
    databaseNewer: {
      title: "Your chats were written by a newer version of this program.",
      actions: ["openStatus"],
      hint: "Install the newer version to open them.",
    },
    storageUnavailable: {
      title: "Nothing can be saved: the disk is full or the folder can't be written.",
      actions: ["retry", "openStatus"],
    },
    vaultUnavailable: {
      title: "The system's vault for keys can't be used.",
      actions: ["openStatus", "openProviders"],
    },
    configInvalid: { title: sentence(error.message) || "Something is not right.", actions: ["openStatus"] },
    internal: {
      title: "Something went wrong on our side.",
      actions: ["retry", "openStatus"],
      hint: sentence(error.message) || "Something is not right.",
    },
  };
  return table[error.code] ?? table.internal;
}

/** The label of an action. Says what happens. */
export const actionLabels: Record<ErrorAction, string> = {
  retry: "Try again",
  addKey: "Add key",
  replaceKey: "Replace key",
  testKey: "Test",
  useLocal: "Use a local model",
  pickModel: "Pick a model",
  pickLarger: "Pick a larger model",
  switchModel: "Switch model",
  openProviders: "Open providers",
  openStatus: "Open status",
  talkOnly: "Ask without tools",
  newChat: "New chat",
  editQuestion: "Edit question",
};

/** "18 s", "5 min", "2 h": never less than what was asked. */
function waitWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds <= 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
