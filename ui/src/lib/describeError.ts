import type { ApiError, ErrorCode } from "@/protocol/bindings";

/** What a person can do about an error. The place that shows it wires what it can. */
export type ErrorAction =
  | "retry"
  | "addKey"
  | "replaceKey"
  | "pickModel"
  | "openProviders"
  | "openStatus"
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
  const table: Record<ErrorCode, Words> = {
    notConfigured: {
      title: "There is no model to ask yet.",
      actions: ["openProviders"],
    },
    keyMissing: {
      title: who === "The model server" ? "There is no key yet." : `There is no key for ${who} yet.`,
      actions: ["addKey", "openProviders"],
    },
    keyRefused: {
      title: `${who} refused the key (401).`,
      actions: ["replaceKey", "retry"],
      hint: "It may be mistyped, expired or made for another service.",
    },
    noCredit: {
      title: `The ${who === "The model server" ? "provider" : who} account is out of credit.`,
      actions: ["openProviders", "retry"],
    },
    rateLimited: {
      title: `${who} asks us to wait${seconds(error.retryAfterMs)}.`,
      actions: ["retry", "pickModel"],
    },
    modelNotFound: {
      title: context.model ? `This account has no “${context.model}”.` : "There is no such model.",
      actions: ["pickModel"],
    },
    contextTooLong: {
      title: "This chat is longer than the model can read at once.",
      actions: ["newChat", "pickModel"],
    },
    badRequest: {
      title: `${who} could not use this request.`,
      actions: ["editQuestion", "pickModel"],
      hint: "Sending the same again will not help.",
    },
    serverFailed: { title: `${who} isn't answering.`, actions: ["retry", "pickModel"] },
    unreachable: {
      title: `Can't reach ${who === "The model server" ? "the model server" : who}.`,
      actions: ["retry", "openProviders"],
      hint: "Check the connection and the address.",
    },
    timedOut: { title: `${who} took too long.`, actions: ["retry", "pickModel"] },
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
    emptyAnswer: { title: "The model answered with nothing.", actions: ["retry", "pickModel"] },
    busy: { title: "This chat is still working on your last question.", actions: [] },
    notFound: { title: "That no longer exists.", actions: [] },
    invalidInput: { title: sentence(error.message), actions: [] },
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
    configInvalid: { title: sentence(error.message), actions: ["openStatus"] },
    internal: {
      title: "Something went wrong on our side.",
      actions: ["retry", "openStatus"],
      hint: sentence(error.message),
    },
  };
  return table[error.code] ?? table.internal;
}

/** The label of an action. Says what happens. */
export const actionLabels: Record<ErrorAction, string> = {
  retry: "Try again",
  addKey: "Add key",
  replaceKey: "Replace key",
  pickModel: "Pick a model",
  openProviders: "Open providers",
  openStatus: "Open status",
  newChat: "New chat",
  editQuestion: "Edit question",
};

function seconds(ms: number | null): string {
  return ms === null ? "" : ` ${Math.max(1, Math.ceil(ms / 1000))} s`;
}

/** A message of the core ("lower case, no full stop") as a sentence. */
function sentence(message: string): string {
  const text = message.trim();
  if (text === "") return "Something is not right.";
  const first = text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
  return /[.!?…]$/u.test(first) ? first : `${first}.`;
}
