import { describe, expect, it } from "vitest";
import { presetOfKey, providerName } from "./presets";

describe("presets", () => {
  it("recognises a service by the shape of its key", () => {
    expect(presetOfKey(" sk-or-v1-abc ")?.id).toBe("openrouter");
    expect(presetOfKey("sk-ant-api03-abc")?.id).toBe("anthropic");
    expect(presetOfKey("gsk_abc")?.id).toBe("groq");
    expect(presetOfKey("abc")).toBeNull();
  });

  it("names a service by its address", () => {
    expect(providerName("https://api.openai.com/v1")).toBe("OpenAI");
    expect(providerName("http://127.0.0.1:8080/v1")).toBe("127.0.0.1:8080");
    expect(providerName("not an address")).toBe("");
  });
});
