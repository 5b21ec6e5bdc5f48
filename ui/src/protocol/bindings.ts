// Written in the form tauri-specta generates. Never edit by hand once the generator owns it.
import { type Channel, invoke as __TAURI_INVOKE } from "@tauri-apps/api/core";

/** Commands */
export const commands = {
  startState: () => typedError<StartState, ApiError>(__TAURI_INVOKE("start_state")),
  startAgain: () => typedError<StartState, ApiError>(__TAURI_INVOKE("start_again")),
  appQuit: () => typedError<null, ApiError>(__TAURI_INVOKE("app_quit")),
  sessionList: () => typedError<SessionSummary[], ApiError>(__TAURI_INVOKE("session_list")),
  sessionOpen: (request: OpenSession) =>
    typedError<SessionView, ApiError>(__TAURI_INVOKE("session_open", { request })),
  sessionRename: (sessionId: SessionId, title: string) =>
    typedError<null, ApiError>(__TAURI_INVOKE("session_rename", { sessionId, title })),
  sessionDelete: (sessionId: SessionId) =>
    typedError<null, ApiError>(__TAURI_INVOKE("session_delete", { sessionId })),
  sessionRestore: (sessionId: SessionId) =>
    typedError<null, ApiError>(__TAURI_INVOKE("session_restore", { sessionId })),
  sessionSearch: (query: string, limit: number) =>
    typedError<SearchHit[], ApiError>(__TAURI_INVOKE("session_search", { query, limit })),
  turnSend: (request: SendMessage) =>
    typedError<SendReceipt, ApiError>(__TAURI_INVOKE("turn_send", { request })),
  turnCancel: (sessionId: SessionId) =>
    typedError<null, ApiError>(__TAURI_INVOKE("turn_cancel", { sessionId })),
  turnRetry: (sessionId: SessionId) =>
    typedError<SendReceipt, ApiError>(__TAURI_INVOKE("turn_retry", { sessionId })),
  turnEventsSince: (sessionId: SessionId, seq: number) =>
    typedError<EventsSince, ApiError>(__TAURI_INVOKE("turn_events_since", { sessionId, seq })),
  queueRemove: (queuedId: QueuedId) =>
    typedError<null, ApiError>(__TAURI_INVOKE("queue_remove", { queuedId })),
  queueSendNow: (sessionId: SessionId, queuedId: QueuedId) =>
    typedError<null, ApiError>(__TAURI_INVOKE("queue_send_now", { sessionId, queuedId })),
  approvalResolve: (request: ResolveApproval) =>
    typedError<null, ApiError>(__TAURI_INVOKE("approval_resolve", { request })),
  draftSave: (sessionId: SessionId | null, text: string) =>
    typedError<null, ApiError>(__TAURI_INVOKE("draft_save", { sessionId, text })),
  draftGet: (sessionId: SessionId | null) =>
    typedError<string, ApiError>(__TAURI_INVOKE("draft_get", { sessionId })),
  providerStatus: () => typedError<ProviderStatus, ApiError>(__TAURI_INVOKE("provider_status")),
  providerDiscover: () => typedError<FoundProvider[], ApiError>(__TAURI_INVOKE("provider_discover")),
  providerConfigure: (request: ConfigureProvider) =>
    typedError<ProviderStatus, ApiError>(__TAURI_INVOKE("provider_configure", { request })),
  settingsGet: () => typedError<SettingsView, ApiError>(__TAURI_INVOKE("settings_get")),
  settingsSet: (request: SetSetting) =>
    typedError<SettingsView, ApiError>(__TAURI_INVOKE("settings_set", { request })),
  statusChecks: () => typedError<Check[], ApiError>(__TAURI_INVOKE("status_checks")),
  linkOpen: (url: string) => typedError<null, ApiError>(__TAURI_INVOKE("link_open", { url })),
  eventsSubscribe: (channel: Channel<AppEvent[]>) =>
    typedError<null, ApiError>(__TAURI_INVOKE("events_subscribe", { channel })),
};

/* Types */
export type SessionId = string;
export type TurnId = string;
export type MessageId = string;
export type ToolCallId = string;
export type ApprovalId = string;
export type QueuedId = string;
/** Milliseconds since 1970-01-01T00:00Z. */
export type UnixMs = number;
export type Json = null | boolean | number | string | Json[] | { [key in string]: Json };

export type AppEvent =
  | { type: "turn"; envelope: TurnEnvelope }
  | { type: "dataChanged"; tags: Tag[] }
  | { type: "lagged" }
  | { type: "quitAsked"; running: string[] };
export type StartState = { failure: ApiError | null; notes: ApiError[] };
export type Tag = "sessions" | "settings" | "provider";
export type NoticeKind = "retrying" | "waiting" | "shortened" | "verifying";

export type ApprovalRequest = {
  approvalId: ApprovalId;
  sessionId: SessionId;
  callId: ToolCallId;
  tool: string;
  sentence: string;
  reasons: string[];
  effects: Effect[];
  preview: Preview;
  input: Json;
  payloadHash: string;
  undo: string | null;
  scopes: ApprovalScope[];
  sandbox: string | null;
  askedAt: UnixMs;
};
export type Preview =
  | { type: "none" }
  | { type: "diff"; path: string; diff: string }
  | { type: "command"; command: string; cwd: string }
  | { type: "moves"; moves: [string, string][] }
  | { type: "request"; method: string; url: string }
  | { type: "paths"; paths: string[] };
export type ApprovalScope = "once" | "session";
export type ApprovalDecision =
  | { type: "allow"; scope: ApprovalScope }
  | { type: "decline"; note: string | null };
export type Effect =
  | { type: "readFile"; path: string }
  | { type: "writeFile"; path: string }
  | { type: "moveFile"; from: string; to: string }
  | { type: "deleteFile"; path: string; forEver: boolean }
  | { type: "runCommand"; command: string; cwd: string }
  | { type: "network"; method: string; url: string; host: string }
  | { type: "readSystem"; what: string }
  | { type: "opaque"; source: string };

export type ApiError = {
  code: ErrorCode;
  message: string;
  hint: string | null;
  retryAfterMs: number | null;
};
export type ErrorCode =
  | "notConfigured"
  | "keyMissing"
  | "keyRefused"
  | "noCredit"
  | "rateLimited"
  | "modelNotFound"
  | "contextTooLong"
  | "badRequest"
  | "serverFailed"
  | "unreachable"
  | "timedOut"
  | "streamCut"
  | "malformed"
  | "contentFiltered"
  | "emptyAnswer"
  | "busy"
  | "notFound"
  | "invalidInput"
  | "approvalChanged"
  | "databaseDamaged"
  | "databaseNewer"
  | "storageUnavailable"
  | "vaultUnavailable"
  | "configInvalid"
  | "internal";

export type ToolOutcome =
  | { type: "succeeded"; content: string }
  | { type: "failed"; message: string; hint: string | null }
  | { type: "declined"; reason: string }
  | { type: "interrupted" };
export type TurnOutcome =
  | { type: "answered"; text: string }
  | { type: "cancelled"; text: string }
  | { type: "limitReached"; limit: Limit; text: string }
  | { type: "failed"; error: ApiError; text: string }
  | { type: "interrupted"; text: string };
export type Limit = "steps" | "outputTokens" | "repetition";
export type Usage = {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
};

export type SendMessage = {
  sessionId: SessionId | null;
  text: string;
  mode: Mode;
  model: string | null;
  delivery: Delivery;
};
export type Delivery = "queue" | "steer";
export type SendReceipt = {
  sessionId: SessionId;
  turnId: TurnId | null;
  queuedId: QueuedId | null;
};
export type TurnRef = { sessionId: SessionId; turnId: TurnId };
export type EventsSince = { events: TurnEnvelope[]; reopen: boolean };
export type ResolveApproval = {
  approvalId: ApprovalId;
  payloadHash: string;
  decision: ApprovalDecision;
};
export type OpenSession = { sessionId: SessionId; before: TurnId | null; limit: number };
export type ProviderStatus = {
  ready: boolean;
  label: string;
  model: string;
  baseUrl: string;
  local: boolean;
  problem: ApiError | null;
};
export type FoundProvider = {
  kind: FoundKind;
  label: string;
  baseUrl: string;
  models: string[];
  keyEnv: string | null;
};
export type FoundKind = "ollama" | "lmStudio" | "llamaServer" | "environment";
export type ConfigureProvider = {
  baseUrl: string;
  model: string;
  apiKey: string | null;
  keyEnv: string | null;
};
export type SettingsView = {
  assistantName: string;
  userName: string | null;
  theme: string;
  mode: Mode;
  approvals: string;
  sendWithEnter: boolean;
  dataDir: string;
  version: string;
};
export type SetSetting = { key: string; value: Json };
export type Check = { name: string; state: CheckState; detail: string; fix: string | null };
export type CheckState = "ok" | "degraded" | "failed" | "unknown";

export type Mode = "agent" | "chat";
export type SessionSummary = {
  sessionId: SessionId;
  title: string;
  createdAt: UnixMs;
  updatedAt: UnixMs;
  turnCount: number;
  running: boolean;
  waiting: boolean;
};
export type TurnRecord = { turnId: TurnId; events: TurnEvent[] };
export type SessionView = {
  session: SessionSummary;
  turns: TurnRecord[];
  hasOlder: boolean;
  lastSeq: number;
  queue: QueuedMessage[];
  draft: string;
};
export type QueuedMessage = { queuedId: QueuedId; text: string };
export type SearchHit = {
  sessionId: SessionId;
  sessionTitle: string;
  turnId: TurnId;
  messageId: MessageId;
  role: string;
  excerpt: string;
  createdAt: UnixMs;
};

export type ToolCall = { id: ToolCallId; name: string; input: Json };
export type StepTitle = { doing: string; done: string };
export type TurnEvent =
  | { type: "turnStarted"; userText: string; model: string; mode: Mode; startedAt: UnixMs }
  | { type: "textDelta"; text: string }
  | { type: "thinkingDelta"; text: string }
  | { type: "textEnded"; preamble: boolean }
  | { type: "stepRestarted" }
  | { type: "toolCallStarted"; call: ToolCall; title: StepTitle; startedAt: UnixMs }
  | { type: "toolCallProgress"; callId: ToolCallId; text: string }
  | { type: "approvalRequested"; request: ApprovalRequest }
  | { type: "approvalResolved"; approvalId: ApprovalId; callId: ToolCallId; decision: ApprovalDecision }
  | { type: "approvalWithdrawn"; approvalId: ApprovalId; callId: ToolCallId }
  | {
      type: "toolCallFinished";
      callId: ToolCallId;
      outcome: ToolOutcome;
      fact: string | null;
      durationMs: number;
    }
  | { type: "userMessageAdded"; text: string }
  | { type: "notice"; kind: NoticeKind; text: string }
  | { type: "usageUpdated"; usage: Usage }
  | { type: "turnFinished"; outcome: TurnOutcome; finishedAt: UnixMs };
export type TurnEnvelope = { sessionId: SessionId; turnId: TurnId; seq: number; event: TurnEvent };

/* Runtime */
export type Result<T, E> = { status: "ok"; data: T } | { status: "error"; error: E };

async function typedError<T, E>(result: Promise<T>): Promise<Result<T, E>> {
  try {
    return { status: "ok", data: await result };
  } catch (e) {
    if (e instanceof Error) throw e;
    return { status: "error", error: e as E };
  }
}
