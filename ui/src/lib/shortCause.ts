import type { ErrorCode } from "@/protocol/bindings";

const causes: Record<ErrorCode, string> = {
  notConfigured: "no model to ask",
  keyMissing: "no key",
  keyRefused: "the key was refused",
  noCredit: "out of credit",
  rateLimited: "too many requests",
  modelNotFound: "no such model",
  toolsUnsupported: "the model cannot use tools",
  contextTooLong: "the chat was too long",
  badRequest: "the request was refused",
  serverFailed: "the server failed",
  unreachable: "nothing answered",
  timedOut: "it took too long",
  streamCut: "the answer broke off",
  malformed: "that was no answer",
  contentFiltered: "the answer was blocked",
  emptyAnswer: "the answer was empty",
  stopped: "it was stopped",
  busy: "another answer was running",
  notFound: "something was gone",
  invalidInput: "it could not be used",
  approvalChanged: "the action had changed",
  databaseDamaged: "the chats were damaged",
  databaseNewer: "the chats were too new",
  storageUnavailable: "nothing could be saved",
  vaultUnavailable: "the vault could not be used",
  configInvalid: "a setting was wrong",
  internal: "a fault of ours",
};

/** Why something failed, in a few words for the end of a line. */
export function shortCause(code: ErrorCode): string {
  return causes[code] ?? causes.internal;
}
