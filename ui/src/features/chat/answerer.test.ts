import { describe, expect, it } from "vitest";
import type { ConnectionView } from "@/protocol/bindings";
import { readChoice } from "./answerer";

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
    ["home/llama3.3", { connection: home, model: "llama3.3" }],
    ["router/meta/llama", { connection: router, model: "meta/llama" }],
    ["meta/llama", { connection: null, model: "meta/llama" }],
    ["homely", { connection: null, model: "homely" }],
  ])("%s is read", (chosen, meant) => expect(readChoice(chosen, [home, router])).toEqual(meant));
});
