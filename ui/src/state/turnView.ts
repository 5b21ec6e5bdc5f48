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
  readonly model: string;
  readonly mode: Mode;
  readonly startedAt: UnixMs | null;
  readonly finishedAt: UnixMs | null;
  /** In the order in which things happened. */
  readonly parts: readonly TurnPart[];
  /** Summed over the steps of the turn; `null` until the vendor said something. */
  readonly usage: Usage | null;
  /** `null` while the turn runs. */
  readonly outcome: TurnOutcome | null;
};

export type TurnPart = TextPart | ThinkingPart | StepPart | NoticePart | AdditionPart;

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
    mode: "agent",
    startedAt: null,
    finishedAt: null,
    parts: [],
    usage: null,
    outcome: null,
  };
}
