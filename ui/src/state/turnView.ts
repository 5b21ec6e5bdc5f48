import type {
  ApprovalRequest,
  ApprovalScope,
  Attachment,
  Mode,
  NoticeKind,
  StepTitle,
  ToolCallId,
  ToolOutcome,
  TurnId,
  TurnOutcome,
  UnixMs,
  Usage,
} from "@/protocol/bindings";
import type { Json } from "@/protocol/json";

/** One turn as a person sees it: the same for a stored turn and for the one that runs. */
export type TurnView = {
  readonly turnId: TurnId;
  readonly userText: string;
  /** What the person attached to it. */
  readonly attachments: readonly Attachment[];
  /** The model that was asked first. */
  readonly model: string;
  /** What goes on with the turn, after the model that was asked did not answer. */
  readonly takenOver: TakenOver | null;
  readonly mode: Mode;
  readonly startedAt: UnixMs | null;
  readonly finishedAt: UnixMs | null;
  /** In the order in which things happened. */
  readonly parts: readonly TurnPart[];
  /** What the whole turn has used so far; `null` until the vendor said something. */
  readonly usage: Usage | null;
  /** In millionths of a US dollar; `null` without a known price. */
  readonly costMicros: number | null;
  /** How full the model's context was with the last request. */
  readonly context: ContextFill | null;
  /** `null` while the turn runs. */
  readonly outcome: TurnOutcome | null;
};

export type TurnPart = TextPart | ThinkingPart | StepPart | NoticePart | ContinuedPart | AdditionPart;

export type TakenOver = { readonly label: string; readonly model: string };

export type ContextFill = {
  readonly tokens: number;
  /** `null` when nobody knows how much the model takes. */
  readonly window: number | null;
};

/** What the assistant wrote in one step. Grows until `ended`. */
export type TextPart = {
  readonly kind: "text";
  /** Stable within the turn: use it as React key. */
  readonly id: string;
  readonly text: string;
  readonly ended: boolean;
  /** Tool calls follow: it is not the answer. */
  readonly preamble: boolean;
};

export type ThinkingPart = {
  readonly kind: "thinking";
  readonly id: string;
  readonly text: string;
  readonly ended: boolean;
};

/** One tool call. */
export type StepPart = {
  readonly kind: "step";
  /** The id of the call. */
  readonly id: ToolCallId;
  readonly tool: string;
  readonly input: Json;
  readonly title: StepTitle;
  readonly startedAt: UnixMs;
  /** What the tool said while it ran, joined. */
  readonly progress: string;
  readonly approval: StepApproval | null;
  /** `null` while it waits or runs. */
  readonly outcome: ToolOutcome | null;
  readonly fact: string | null;
  readonly durationMs: number | null;
};

export type StepApproval = {
  readonly request: ApprovalRequest;
  readonly answer: ApprovalAnswer;
  /** An earlier question about the same call was void because what would run had changed. */
  readonly askedAgain: boolean;
};

export type ApprovalAnswer =
  | { readonly type: "waiting" }
  | { readonly type: "allowed"; readonly scope: ApprovalScope }
  | { readonly type: "declined"; readonly note: string | null }
  | { readonly type: "withdrawn" };

export type NoticePart = {
  readonly kind: "notice";
  readonly id: string;
  readonly notice: NoticeKind;
  readonly text: string;
};

/** From here on another model answers. */
export type ContinuedPart = {
  readonly kind: "continued";
  readonly id: string;
  readonly label: string;
  readonly model: string;
  /** Why, and what this model cannot do: one sentence each. */
  readonly reasons: readonly string[];
};

/** What the person added while the turn ran. */
export type AdditionPart = {
  readonly kind: "addition";
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
};

export type StepState = "waiting" | "running" | "succeeded" | "failed" | "declined" | "interrupted";

/** The state of a step, for its dot on the thread. */
export function stepState(step: StepPart): StepState {
  if (step.outcome) return step.outcome.type;
  return step.approval?.answer.type === "waiting" ? "waiting" : "running";
}

/** The same for the same question, asked again. */
export function questionKey({ userText, attachments }: TurnView): string {
  return [userText, ...attachments.map(({ fileId }) => fileId)].join("\n");
}

/** The questions that wait for the person, oldest first. */
export function waitingApprovals(view: TurnView): readonly ApprovalRequest[] {
  return view.parts.flatMap((part) =>
    part.kind === "step" && part.approval?.answer.type === "waiting" ? [part.approval.request] : [],
  );
}

/** The model that answers, or did last. */
export function answering(view: TurnView): string {
  return view.takenOver?.model ?? view.model;
}

/** The answer without preambles and thinking. */
export function answerText(view: TurnView): string {
  return view.parts
    .flatMap((part) => (part.kind === "text" && !part.preamble ? [part.text] : []))
    .join("\n\n");
}

export function emptyTurn(turnId: TurnId): TurnView {
  return {
    turnId,
    userText: "",
    attachments: [],
    model: "",
    takenOver: null,
    mode: "agent",
    startedAt: null,
    finishedAt: null,
    parts: [],
    usage: null,
    costMicros: null,
    context: null,
    outcome: null,
  };
}
