import type {
  ApiError,
  ApprovalRequest,
  Attachment,
  ErrorCode,
  Mode,
  NoticeKind,
  StepTitle,
  ToolOutcome,
  TurnEvent,
  TurnOutcome,
  Usage,
} from "@/protocol/bindings";
import type { Json } from "@/protocol/json";
import { apiError } from "../apiError";

/** How a turn of the scripted core goes. Written by tests and by the demo. */
export type Script = readonly ScriptStep[];

export type ScriptStep =
  /** Streams text; before a tool it becomes a preamble. `perSecond`: tokens of four characters. */
  | { readonly say: string; readonly perSecond?: number }
  | { readonly think: string; readonly perSecond?: number }
  | ToolStep
  | { readonly notice: NoticeKind; readonly text: string }
  /** The request is made again: what was said in this step is void. */
  | { readonly restart: true }
  | { readonly wait: number }
  /** What the turn has used so far; `costMicros` where the price is known. */
  | { readonly usage: Usage; readonly costMicros?: number }
  /** How much of the model's context the request fills. */
  | { readonly context: number; readonly window: number | null }
  /** Another model goes on with the turn. */
  | { readonly continueWith: string; readonly label: string; readonly reasons: readonly string[] }
  | { readonly event: TurnEvent }
  | { readonly fail: ErrorCode | ApiError }
  | { readonly finish: TurnOutcome };

export type ToolStep = {
  readonly tool: string;
  readonly title?: StepTitle;
  readonly input?: Json;
  readonly progress?: readonly string[];
  readonly fact?: string;
  readonly ms?: number;
  readonly outcome?: ToolOutcome;
  /** Asks first. */
  readonly ask?: Partial<ApprovalRequest>;
  /** Instead of what follows, when the person declines. */
  readonly declined?: Script;
};

/** What the runner does, one after the other. Plain data, so that a reload can go on with it. */
export type Instruction =
  | { readonly do: "emit"; readonly event: TurnEvent }
  | { readonly do: "wait"; readonly ms: number }
  | {
      readonly do: "ask";
      readonly request: ApprovalRequest;
      readonly instead: readonly Instruction[];
    };

export type Scope = {
  readonly sessionId: string;
  readonly userText: string;
  readonly attachments: Attachment[];
  readonly model: string;
  readonly mode: Mode;
  readonly id: (prefix: string) => string;
  readonly now: () => number;
};

const eventsPerSecond = 30;
const charactersPerToken = 4;

/** The instructions of one whole turn. */
export function compile(script: Script, scope: Scope): readonly Instruction[] {
  const started: Instruction = emit({
    type: "turnStarted",
    userText: scope.userText,
    attachments: scope.attachments,
    model: scope.model,
    mode: scope.mode,
    startedAt: scope.now(),
  });
  return [started, ...body(script, scope, "")];
}

function body(script: Script, scope: Scope, saidBefore: string): readonly Instruction[] {
  const out: Instruction[] = [];
  let said = saidBefore;
  let open = false;
  for (const [index, step] of script.entries()) {
    if ("say" in step) {
      const toolFollows = nextIsTool(script, index);
      out.push(...stream("textDelta", step.say, step.perSecond ?? 100));
      if (toolFollows || !nextIs(script, index, "say")) {
        out.push(emit({ type: "textEnded", preamble: toolFollows }));
        open = false;
      } else open = true;
      if (!toolFollows) said += step.say;
    } else if ("think" in step) {
      out.push(...stream("thinkingDelta", step.think, step.perSecond ?? 200));
    } else if ("tool" in step) {
      out.push(...tool(step, scope, said));
    } else if ("notice" in step) {
      out.push(emit({ type: "notice", kind: step.notice, text: step.text }));
    } else if ("restart" in step) {
      out.push(emit({ type: "stepRestarted" }));
      said = saidBefore;
    } else if ("wait" in step) {
      out.push({ do: "wait", ms: step.wait });
    } else if ("usage" in step) {
      out.push(emit({ type: "usageUpdated", usage: step.usage, costMicros: step.costMicros ?? null }));
    } else if ("context" in step) {
      out.push(emit({ type: "contextMeasured", tokens: step.context, window: step.window }));
    } else if ("continueWith" in step) {
      const { continueWith: model, label, reasons } = step;
      out.push(emit({ type: "continuedWith", label, model, reasons: [...reasons] }));
    } else if ("event" in step) {
      out.push(emit(step.event));
    } else if ("fail" in step) {
      const error = typeof step.fail === "string" ? apiError(step.fail, "ask the model") : step.fail;
      return [...out, finish(scope, { type: "failed", error, text: said })];
    } else {
      return [...out, finish(scope, step.finish)];
    }
  }
  if (open) out.push(emit({ type: "textEnded", preamble: false }));
  return [...out, finish(scope, { type: "answered", text: said })];
}

function tool(step: ToolStep, scope: Scope, said: string): readonly Instruction[] {
  const callId = scope.id("call");
  const input = step.input ?? {};
  const title = step.title ?? { doing: `Running ${step.tool}`, done: `Ran ${step.tool}` };
  const call = { id: callId, name: step.tool, input };
  const finished = (outcome: ToolOutcome, fact: string | null): Instruction =>
    emit({ type: "toolCallFinished", callId, outcome, fact, durationMs: step.ms ?? 120 });
  const out: Instruction[] = [emit({ type: "toolCallStarted", call, title, startedAt: scope.now() })];
  if (step.ask) {
    const decline: Script = step.declined ?? [{ say: "All right, I left it as it is." }];
    const declined = finished({ type: "declined", reason: "you said no" }, null);
    out.push({
      do: "ask",
      request: question(step, callId, scope),
      instead: [declined, ...body(decline, scope, said)],
    });
  }
  for (const text of step.progress ?? []) out.push(emit({ type: "toolCallProgress", callId, text }));
  out.push({ do: "wait", ms: step.ms ?? 120 });
  out.push(finished(step.outcome ?? { type: "succeeded", content: "done" }, step.fact ?? null));
  return out;
}

function question(step: ToolStep, callId: string, scope: Scope): ApprovalRequest {
  const input = step.input ?? {};
  return {
    approvalId: scope.id("apr"),
    sessionId: scope.sessionId,
    callId,
    tool: step.tool,
    sentence: step.title?.doing ?? `Run ${step.tool}`,
    reasons: [],
    effects: [],
    preview: { type: "none" },
    input,
    payloadHash: hashOf(step.tool, input),
    undo: null,
    scopes: ["once", "session"],
    sandbox: null,
    askedAt: scope.now(),
    ...step.ask,
  };
}

/** Not a hash for safety: it only has to differ when a byte does. */
export function hashOf(toolName: string, input: Json): string {
  let hash = 5381;
  for (const character of `${toolName}\n${JSON.stringify(input)}`) {
    hash = (hash * 33 + (character.codePointAt(0) ?? 0)) >>> 0;
  }
  return `fake-${hash.toString(16)}`;
}

function stream(type: "textDelta" | "thinkingDelta", text: string, perSecond: number): Instruction[] {
  const size = Math.max(1, Math.round((perSecond * charactersPerToken) / eventsPerSecond));
  const pieces: Instruction[] = [];
  const characters = [...text];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push({ do: "wait", ms: 1000 / eventsPerSecond });
    pieces.push(emit({ type, text: characters.slice(at, at + size).join("") }));
  }
  return pieces;
}

function finish(scope: Scope, outcome: TurnOutcome): Instruction {
  return emit({ type: "turnFinished", outcome, finishedAt: scope.now() });
}

function emit(event: TurnEvent): Instruction {
  return { do: "emit", event };
}

/** Steps that a text goes on through. */
function isAside(step: ScriptStep): boolean {
  return "wait" in step || "usage" in step || "context" in step;
}

function nextIsTool(script: Script, index: number): boolean {
  const next = script.slice(index + 1).find((step) => !isAside(step));
  return next !== undefined && "tool" in next;
}

function nextIs(script: Script, index: number, key: string): boolean {
  const next = script.slice(index + 1).find((step) => !isAside(step));
  return next !== undefined && key in next;
}
