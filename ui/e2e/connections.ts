import type { ConnectionView, UsageOfDay } from "../src/protocol/bindings";

/** Three places where models answer: one here, two of one vendor. */
export const home: ConnectionView = {
  name: "home",
  label: "Ollama",
  kind: "auto",
  baseUrl: "http://127.0.0.1:11434/v1",
  model: "qwen3:14b",
  local: true,
  key: "none",
  fallback: false,
  problem: null,
  restsUntil: null,
  facts: { contextTokens: 32_768, images: null, tools: null, price: null },
};

export const work: ConnectionView = {
  ...home,
  name: "work",
  label: "Anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  model: "claude-sonnet-4-5",
  local: false,
  key: "vault",
  fallback: true,
  facts: {
    contextTokens: 200_000,
    images: true,
    tools: true,
    price: { inputMicros: 3_000_000, outputMicros: 15_000_000 },
  },
};

export const spare: ConnectionView = {
  ...work,
  name: "spare",
  model: "claude-haiku-4-5",
  key: "environment",
  fallback: false,
};

const DAY_MS = 86_400_000;

/** What two models used today and a month ago. */
export function usageUntil(now: number): UsageOfDay[] {
  const today = now - (now % DAY_MS);
  const usage = {
    inputTokens: 48_210,
    outputTokens: 9_120,
    cachedTokens: 30_000,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  return [
    { day: today, model: "claude-sonnet-4-5", turns: 12, usage, costMicros: 412_000 },
    { day: today, model: "qwen3:14b", turns: 3, usage, costMicros: 0 },
    { day: today - 30 * DAY_MS, model: "claude-haiku-4-5", turns: 140, usage, costMicros: 1_204_000 },
  ];
}
