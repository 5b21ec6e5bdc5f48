import { describe, expect, it } from "vitest";
import { apiError } from "@/platform/apiError";
import type { LocalModel, OfferedModel } from "@/protocol/bindings";
import {
  aboutOf,
  cautionsOf,
  installedFacts,
  localWords,
  lossOf,
  offeredFacts,
  stepOf,
  titleOf,
} from "./words";

const model: LocalModel = {
  name: "qwen3-4b",
  title: "Qwen3 4B, thinks before it answers",
  keeper: "managed",
  bytes: 2_497_280_256,
  contextTokens: 32_768,
  hasChatTemplate: true,
  path: "/models/qwen3-4b.gguf",
  isOurs: true,
  isInUse: false,
};

const offered: OfferedModel = {
  name: "qwen3-4b",
  title: model.title,
  bytes: 2_497_280_256,
  memoryBytes: 4_000_000_000,
  contextTokens: 32_768,
  licence: "Apache-2.0",
  callsTools: true,
  hasChecksum: true,
  isInstalled: false,
};

describe("the words about a model on this computer", () => {
  it("take a title apart at its first comma only", () => {
    const title = "Qwen3 4B, small, quick";
    expect([titleOf(title), aboutOf(title)]).toEqual(["Qwen3 4B", "Small, quick."]);
    expect([titleOf("poems"), aboutOf("poems")]).toEqual(["poems", null]);
  });

  it("leave out what its keeper does not say", () => {
    expect(installedFacts(model)).toEqual(["2.5 GB", "reads 32.8k tokens", "run by llama-server"]);
    expect(installedFacts({ ...model, keeper: "ollama", bytes: null, contextTokens: null })).toEqual([
      "run by Ollama",
    ]);
  });

  it("warn of a missing checksum and of missing tools", () => {
    expect(offeredFacts(offered)).toEqual([
      "2.5 GB to fetch",
      "needs 4.0 GB of memory",
      "reads 32.8k tokens",
      "Apache-2.0",
      "calls tools",
    ]);
    const doubtful = { ...offered, callsTools: false, hasChecksum: false };
    expect(offeredFacts(doubtful)).not.toContain("calls tools");
    expect([cautionsOf(offered), cautionsOf(doubtful)]).toEqual([
      [],
      [
        "It does not call tools: it answers in words only.",
        "Its checksum is not known: unless the server names one, only size and form are checked.",
      ],
    ]);
  });

  it("tell how far it is, and no share of an unknown whole", () => {
    const doneBytes = 1_248_640_128;
    const steps = [
      stepOf({ type: "downloading", doneBytes, totalBytes: 2_497_280_256 }),
      stepOf({ type: "downloading", doneBytes, totalBytes: null }),
      stepOf({ type: "downloading", doneBytes: 12, totalBytes: 10 }),
      stepOf({ type: "measuring", threads: 1 }),
      stepOf({ type: "measuring", threads: 4 }),
    ];
    expect(steps).toEqual([
      { words: "1.2 GB of 2.5 GB", part: 0.5 },
      { words: "1.2 GB so far", part: null },
      { words: "1 MB of 1 MB", part: 1 },
      { words: "Trying it with 1 thread…", part: null },
      { words: "Trying it with 4 threads…", part: null },
    ]);
  });

  it("say before removing what becomes of the file", () => {
    expect(lossOf(model)).toBe(
      "It is deleted for good (2.5 GB). To have it again, it must be fetched again.",
    );
    expect(lossOf({ ...model, isOurs: false, isInUse: true })).toBe(
      "It leaves the list. You brought its file, so that stays: /models/qwen3-4b.gguf. It is the one that answers: choose another one then.",
    );
  });

  it("say of an error what is the case, not what its code means for a service", () => {
    const hint = "Free some space, or choose a smaller model.";
    const message = "`qwen3-4b` needs 2.5 GB on the disk, and 1.0 GB are free";
    expect(localWords(apiError("storageUnavailable", message, { hint }))).toMatchObject({
      title: `${message}.`,
      hint,
    });
    expect(localWords(apiError("internal", "reach the assistant: gone")).title).toBe(
      "Something went wrong on our side.",
    );
  });
});
