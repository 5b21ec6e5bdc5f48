import type { Script } from "@/platform/scripted";
import type { ApprovalRequest, TurnEvent, Usage } from "@/protocol/bindings";
import type { Json } from "@/protocol/json";

/** An approval request for tests. */
export function approvalRequest(more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    approvalId: "apr_1",
    sessionId: "ses_1",
    callId: "call_1",
    tool: "move_path",
    sentence: "Move 2 files into Bills",
    reasons: [],
    effects: [],
    preview: { type: "none" },
    input: {},
    payloadHash: "hash-1",
    undo: null,
    scopes: ["once"],
    sandbox: null,
    askedAt: 1,
    ...more,
  };
}

export function started(userText = "Hello"): TurnEvent {
  return {
    type: "turnStarted",
    userText,
    attachments: [],
    model: "test-model",
    mode: "agent",
    startedAt: 1,
  };
}

export function stepStarted(id: string, name = "list_dir", input: Json = {}): TurnEvent {
  const title = { doing: `Doing ${name}`, done: `Did ${name}` };
  return { type: "toolCallStarted", call: { id, name, input }, title, startedAt: 2 };
}

/** What a turn used, by the tokens that went in. */
export function used(inputTokens: number): Usage {
  return { inputTokens, outputTokens: 5, cachedTokens: 4, cacheWriteTokens: 0, reasoningTokens: 2 };
}

/** A turn with everything in it, small enough to be cut at every event. */
export const richScript: Script = [
  { context: 900, window: 32_768 },
  { think: "Let me look first.", perSecond: 4000 },
  { say: "I look in two places.", perSecond: 200 },
  { tool: "list_dir", fact: "3 entries", ms: 1 },
  {
    tool: "run_shell",
    progress: ["a\n", "b\n"],
    ms: 1,
    outcome: { type: "failed", message: "no", hint: null },
  },
  { notice: "retrying", text: "again in 1 s" },
  { say: "half an ans", perSecond: 400 },
  { restart: true },
  { usage: used(10), costMicros: 40 },
  { continueWith: "qwen3:14b", label: "Ollama", reasons: ["Anthropic did not answer."] },
  { say: "A whole answer, with **bold** and the rest of it.", perSecond: 200 },
  { usage: used(20) },
];
