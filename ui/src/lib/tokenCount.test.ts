import { describe, expect, it } from "vitest";
import { exact, rough } from "./tokenCount";

describe("numbers of tokens", () => {
  it("are exact where they are counted", () => expect(exact(1_234_567)).toBe("1,234,567"));

  it.each([
    [0, "0"],
    [940, "940"],
    [18_400, "18.4k"],
    [200_000, "200k"],
    [999_600, "1M"],
    [1_048_576, "1M"],
    [1_240_000, "1.2M"],
  ])("%d is about %s", (tokens, words) => expect(rough(tokens)).toBe(words));
});
