import { describe, expect, it } from "vitest";
import type { ConnectionView } from "@/protocol/bindings";
import { answererOf, fallbacksOf, readChoice, standing } from "./answerer";

const connection = (name: string, model: string): ConnectionView => ({
  name,
  label: name,
  kind: "auto",
  baseUrl: "http://127.0.0.1/v1",
  model,
  local: true,
  key: "none",
  fallback: false,
  problem: null,
  restsUntil: null,
  facts: { contextTokens: null, images: null, tools: null, price: null },
});
const home = connection("home", "qwen3");
const router = connection("router", "auto");

describe("what a chat is set to", () => {
  it.each([
    ["home", { connection: home, model: "qwen3" }],
    ["home/", { connection: home, model: "qwen3" }],
    ["home/llama3.3", { connection: home, model: "llama3.3" }],
    ["router/meta/llama", { connection: router, model: "meta/llama" }],
    ["meta/llama", { connection: null, model: "meta/llama" }],
    ["homely", { connection: null, model: "homely" }],
  ])("%s is read", (chosen, meant) => expect(readChoice(chosen, [home, router])).toEqual(meant));
});

describe("who answers", () => {
  const status = { ready: true, label: "home", model: "qwen3", baseUrl: "", local: true, problem: null };
  const away = { ...router, local: false };

  it.each([
    [null, { label: "home", model: "qwen3", local: true }],
    ["router/big", { label: "router", model: "big", local: false }],
    ["gone/big", { label: "home", model: "gone/big", local: true }],
  ])("a chat that is set to %s", (chosen, answerer) =>
    expect(answererOf(chosen, status, [home, away])).toEqual(answerer),
  );

  it("is not known before anything is, but for a connection that was chosen", () => {
    expect(answererOf(null, undefined, [away])).toBeNull();
    expect(answererOf("router", undefined, [away])?.label).toBe("router");
  });

  it("is nobody else when a model was chosen", () => {
    const over = { ...away, fallback: true };
    expect(fallbacksOf(null, [home, away, over])).toEqual([over]);
    expect(fallbacksOf("home/qwen3", [home, over])).toEqual([]);
  });
});

it("a choice stands as long as its connection does", () => {
  const choice = { model: "router/big", think: "high" } as const;
  expect(standing(choice, [home, router])).toBe(choice);
  expect(standing(choice, undefined), "nobody knows yet").toBe(choice);
  expect(standing(choice, [home])).toEqual({ model: null, think: "high" });
});
