import { describe, expect, it } from "vitest";
import { presetOfKey, providerName } from "./presets";

describe("presets", () => {
  it("recognises a service by the shape of its key", () => {
    const table = [
      [" sk-or-v1-abc ", "OpenRouter"],
      ["sk-ant-api03-abc", "Anthropic"],
      ["sk-proj-abc", "OpenAI"],
      ["gsk_abc\n", "Groq"],
      ["sk-0123456789abcdef0123456789abcdef", "DeepSeek"],
      ["xai-abc", "xAI"],
      ["AIzaSyAbc", "Google Gemini"],
      ["abc", undefined],
      ["", undefined],
    ] as const;
    for (const [key, label] of table) expect(presetOfKey(key)?.label, key).toBe(label);
  });

  it("names a service by its address", () => {
    expect(providerName("https://api.openai.com/v1")).toBe("OpenAI");
    expect(providerName("http://127.0.0.1:8080/v1")).toBe("127.0.0.1:8080");
    expect(providerName("not an address")).toBe("");
  });
});
