import { vendors } from "@/protocol/bindings";

/** A service that the core can speak with. The address can be edited. */
export type Preset = { readonly id: string; readonly label: string; readonly baseUrl: string };

const other: Preset = { id: "other", label: "Another address", baseUrl: "" };

export const presets: readonly Preset[] = [
  ...vendors.map(({ label, baseUrl }) => ({ id: label, label, baseUrl })),
  other,
];

/** DeepSeek's keys begin as OpenAI's do, and go on with 32 hexadecimal digits. */
const deepSeekKey = /^sk-[0-9a-f]{32}$/;

/** The service that a pasted key belongs to, if its beginning tells: a guess that the person sees. */
export function presetOfKey(key: string): Preset | null {
  const pasted = key.trim();
  const fitting = vendors.filter(({ keyPrefix }) => keyPrefix !== "" && pasted.startsWith(keyPrefix));
  const nearest = fitting.sort((a, b) => b.keyPrefix.length - a.keyPrefix.length)[0];
  const label = deepSeekKey.test(pasted) ? "DeepSeek" : nearest?.label;
  return presets.find((preset) => preset.label === label) ?? null;
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
