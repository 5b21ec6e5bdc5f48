import { expect, it } from "vitest";
import type { ConnectionView } from "@/protocol/bindings";
import { emptyTurn } from "@/state";
import { labelOf } from "./Failure";

const connection = (label: string, model: string): ConnectionView => ({
  name: label.toLowerCase(),
  label,
  kind: "auto",
  baseUrl: "https://api.example.com/v1",
  model,
  local: false,
  key: "vault",
  fallback: false,
  problem: null,
  restsUntil: null,
  facts: { contextTokens: null, images: null, tools: null, price: null },
});
const failed = { ...emptyTurn("turn_1"), model: "gpt-5" };
const now = { label: "Ollama", model: "qwen3", local: true };
const all = [connection("Ollama", "qwen3"), connection("OpenAI", "gpt-5")];

it("names who failed, and not whom the chat was set to since", () => {
  expect(labelOf(failed, now, all)).toBe("OpenAI");
  expect(labelOf({ ...failed, model: "qwen3" }, now, all)).toBe("Ollama");
  expect(labelOf({ ...failed, takenOver: { label: "Groq", model: "x" } }, now, all)).toBe("Groq");
});

it("names nobody rather than the wrong one", () => {
  expect(labelOf({ ...failed, model: "gone" }, now, all)).toBe("");
  expect(labelOf(failed, now, [...all, connection("Router", "gpt-5")])).toBe("");
});
