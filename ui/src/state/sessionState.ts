import type {
  ApiError,
  Attachment,
  Delivery,
  Mode,
  QueuedMessage,
  SessionId,
  SessionSummary,
  ThinkLevel,
  TurnId,
} from "@/protocol/bindings";

/** What is known of one open session, apart from what is inside its turns. */
export type SessionState = {
  readonly status: "loading" | "ready" | "missing" | "failed";
  /** Why it could not be opened. */
  readonly error: ApiError | null;
  readonly summary: SessionSummary | null;
  /** Oldest first. */
  readonly turnIds: readonly TurnId[];
  readonly runningTurnId: TurnId | null;
  /** Stop was pressed and the turn has not ended yet. */
  readonly stopping: boolean;
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  /** Messages that the core keeps until the running turn ends. */
  readonly queue: readonly QueuedMessage[];
  /** What this chat is set to. */
  readonly choice: Choice;
  /** Messages of the person that the core has not confirmed. */
  readonly pending: readonly PendingMessage[];
};

/** A model and a level of thinking for a chat; `null` is as the settings say. */
export type Choice = {
  /** A model, a connection, or both as `connection/model`. */
  readonly model: string | null;
  readonly think: ThinkLevel | null;
};

export const noChoice: Choice = { model: null, think: null };

/** A message on its way: shown at once, never lost. */
export type PendingMessage = {
  readonly localId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mode: Mode;
  readonly model: string | null;
  readonly think: ThinkLevel | null;
  /** The person was told that a limit on spending is reached, and said to go on. */
  readonly allowSpending: boolean;
  readonly delivery: Delivery;
  readonly sentAt: number;
  /** The turn it became, once the core said so; it is shown here until that turn is. */
  readonly turnId: TurnId | null;
  readonly state: PendingState;
};

export type PendingState =
  | { readonly type: "sending" }
  /** No network: goes by itself when there is one. */
  | { readonly type: "offline" }
  | { readonly type: "failed"; readonly error: ApiError };

/** What a send needs. */
export type Outgoing = {
  readonly sessionId: SessionId | null;
  readonly text: string;
  /** Files that the core keeps already. */
  readonly attachments?: readonly Attachment[];
  readonly mode: Mode;
  readonly model: string | null;
  readonly think: ThinkLevel | null;
  /** The person was told that a limit on spending is reached, and said to go on. */
  readonly allowSpending: boolean;
  readonly delivery: Delivery;
};

export const emptySession: SessionState = {
  status: "loading",
  error: null,
  summary: null,
  turnIds: [],
  runningTurnId: null,
  stopping: false,
  hasOlder: false,
  loadingOlder: false,
  queue: [],
  choice: noChoice,
  pending: [],
};

/** The chat that does not exist yet. */
export const newSession: SessionState = { ...emptySession, status: "ready" };
