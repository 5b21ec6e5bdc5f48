import { describe, expect, it } from "vitest";
import { apiError } from "@/platform/apiError";
import type { ErrorCode } from "@/protocol/bindings";
import { actionLabels, describeError } from "./describeError";

const codes: readonly ErrorCode[] = [
  "notConfigured",
  "keyMissing",
  "keyRefused",
  "noCredit",
  "rateLimited",
  "modelNotFound",
  "toolsUnsupported",
  "contextTooLong",
  "badRequest",
  "serverFailed",
  "unreachable",
  "timedOut",
  "streamCut",
  "malformed",
  "contentFiltered",
  "emptyAnswer",
  "busy",
  "notFound",
  "invalidInput",
  "approvalChanged",
  "databaseDamaged",
  "databaseNewer",
  "storageUnavailable",
  "vaultUnavailable",
  "configInvalid",
  "internal",
];

const context = { provider: "Anthropic", model: "sonnet" };

describe("describeError", () => {
  it.each([
    ["keyMissing", "There is no key for Anthropic yet."],
    ["keyRefused", "Anthropic refused the key (401)."],
    ["noCredit", "The Anthropic account is out of credit."],
    ["modelNotFound", "This account has no “sonnet”."],
    ["serverFailed", "Anthropic isn't answering."],
    ["toolsUnsupported", "The model “sonnet” cannot use tools."],
  ] as const)("says %s in the words of the design", (code, words) => {
    expect(describeError(apiError(code, "x"), context).title).toBe(words);
  });

  it("says how long the vendor wants us to wait", () => {
    const words = describeError(apiError("rateLimited", "x", { retryAfterMs: 17_200 }), context);
    expect(words.title).toBe("Anthropic asks us to wait 18 s.");
    expect(words.retryAfterMs).toBe(17_200);
  });

  it.each([
    [90_000, "Anthropic asks us to wait 90 s."],
    [91_000, "Anthropic asks us to wait 2 min."],
    [3_600_000, "Anthropic asks us to wait 60 min."],
    [7_000_000, "Anthropic asks us to wait 2 h."],
  ])("says a wait of %d ms in words", (retryAfterMs, title) => {
    expect(describeError(apiError("rateLimited", "x", { retryAfterMs }), context).title).toBe(title);
  });

  it("says how long a server that fails wants us to wait", () => {
    const { title } = describeError(apiError("serverFailed", "x", { retryAfterMs: 4_000 }), context);
    expect(title).toBe("Anthropic isn't answering and asks us to wait 4 s.");
  });

  it("does not offer to repeat what cannot change", () => {
    for (const code of [
      "badRequest",
      "contextTooLong",
      "toolsUnsupported",
      "modelNotFound",
      "contentFiltered",
    ] as const) {
      expect(describeError(apiError(code, "x"), context).actions).not.toContain("retry");
    }
  });

  it.each(codes)("has a whole calm sentence for %s, with and without names", (code) => {
    for (const given of [context, {}]) {
      const words = describeError(apiError(code, "the thing"), given);
      expect(words.title).toMatch(/^\p{Lu}.*\.$/u);
      expect(words.title + (words.hint ?? "")).not.toMatch(/!|oops|undefined|null/i);
      for (const action of words.actions) expect(actionLabels[action]).toBeTruthy();
    }
  });

  it("prefers the hint of the core to its own", () => {
    expect(describeError(apiError("unreachable", "x", { hint: "Start Ollama." })).hint).toBe("Start Ollama.");
  });

  it("treats a code it does not know as a fault of ours", () => {
    expect(describeError(apiError("somethingNew" as ErrorCode, "x")).title).toBe(
      "Something went wrong on our side.",
    );
  });
});
