/** A service that the core can speak with. The address can be edited. */
export type Preset = { readonly id: string; readonly label: string; readonly baseUrl: string };

export const presets: readonly Preset[] = [
  { id: "openai", label: "OpenAI", baseUrl: "https://api.openai.com/v1" },
  { id: "anthropic", label: "Anthropic", baseUrl: "https://api.anthropic.com/v1" },
  { id: "openrouter", label: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1" },
  { id: "groq", label: "Groq", baseUrl: "https://api.groq.com/openai/v1" },
  { id: "gemini", label: "Google Gemini", baseUrl: "https://generativelanguage.googleapis.com/v1beta" },
  { id: "mistral", label: "Mistral", baseUrl: "https://api.mistral.ai/v1" },
  { id: "deepseek", label: "DeepSeek", baseUrl: "https://api.deepseek.com/v1" },
  { id: "together", label: "Together", baseUrl: "https://api.together.xyz/v1" },
  { id: "other", label: "Another address", baseUrl: "" },
];

const shapes: readonly (readonly [prefix: string, presetId: string])[] = [
  ["sk-ant-", "anthropic"],
  ["sk-or-", "openrouter"],
  ["gsk_", "groq"],
  ["AIza", "gemini"],
  ["sk-proj-", "openai"],
];

/** The service that a pasted key belongs to, if its beginning tells. */
export function presetOfKey(key: string): Preset | null {
  const id = shapes.find(([prefix]) => key.trim().startsWith(prefix))?.[1];
  return presets.find((preset) => preset.id === id) ?? null;
}

/** The name of the service at an address, for sentences about it. */
export function providerName(baseUrl: string): string {
  const known = presets.find((preset) => preset.baseUrl !== "" && baseUrl.startsWith(preset.baseUrl));
  if (known) return known.label;
  return hostOf(baseUrl) ?? "";
}

/** "api.example.com", "127.0.0.1:8080"; `null` for what is no address. */
export function hostOf(address: string): string | null {
  try {
    return new URL(address).host;
  } catch {
    return null;
  }
}
