import { describe, expect, it } from "vitest";
import { freeName, moved, nameProblem } from "./connections";

describe("the order of connections", () => {
  it("moves one by one place", () => {
    expect(moved(["a", "b", "c"], "c", -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b", "c"], "a", 1)).toEqual(["b", "a", "c"]);
  });

  it("stays at its ends, and for a name that is not there", () => {
    const names = ["a", "b"];
    expect(moved(names, "a", -1)).toBe(names);
    expect(moved(names, "b", 1)).toBe(names);
    expect(moved(names, "x", 1)).toBe(names);
  });
});

describe("the name of a new connection", () => {
  it.each([
    ["Google Gemini", [], "google-gemini"],
    ["openai", ["openai"], "openai-2"],
    ["openai", ["openai", "openai-2"], "openai-3"],
    ["127.0.0.1:8080", [], "127-0-0-1-8080"],
    ["ನಮ್ಮ", [], "connection"],
  ] as const)("like %s beside %j is %s", (like, taken, name) => {
    expect(freeName(like, taken)).toBe(name);
    expect(nameProblem(name, taken)).toBeNull();
  });

  it("cannot be empty", () => expect(nameProblem("", [])).toBe("Give it a name."));

  it.each(["With space", "ನಮ್ಮ", "a/b"])("“%s” is for the core to judge", (name) => {
    expect(nameProblem(name, [])).toBeNull();
  });

  it("cannot be one that is there", () => expect(nameProblem("home", ["home"])).toMatch(/this name/));
});
