import { expect, it } from "vitest";
import { factsOf } from "./facts";

const unknown = { contextTokens: null, images: null, tools: null, price: null };

it("says what is known of a model, and nothing of what is not", () => {
  expect(factsOf(unknown)).toEqual([]);
  expect(factsOf({ ...unknown, images: false, tools: true })).toEqual([]);
  const price = { inputMicros: 3_000_000, outputMicros: 15_000_000 };
  expect(factsOf({ contextTokens: 200_000, images: true, tools: false, price })).toEqual([
    "reads 200k tokens",
    "sees images",
    "no tools",
    "$3.00 in, $15.00 out per million tokens",
  ]);
});
