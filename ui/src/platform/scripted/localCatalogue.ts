import type { LocalKeeper, LocalModel, LocalModels, LocalWay, OfferedModel } from "@/protocol/bindings";

const offered: readonly OfferedModel[] = [
  {
    name: "qwen3-4b",
    title: "Qwen3 4B, thinks before it answers; the best of these with tools",
    bytes: 2_497_280_256,
    memoryBytes: 4_000_000_000,
    contextTokens: 32_768,
    licence: "Apache-2.0",
    callsTools: true,
    hasChecksum: true,
    isInstalled: false,
  },
  {
    name: "qwen2.5-1.5b",
    title: "Qwen2.5 1.5B, small and quick",
    bytes: 1_117_320_736,
    memoryBytes: 1_700_000_000,
    contextTokens: 32_768,
    licence: "Apache-2.0",
    callsTools: true,
    hasChecksum: true,
    isInstalled: false,
  },
  {
    name: "qwen2.5-coder-1.5b",
    title: "Qwen2.5-Coder 1.5B, for programming; needs a chat template of its own to call tools",
    bytes: 1_117_320_768,
    memoryBytes: 1_700_000_000,
    contextTokens: 32_768,
    licence: "Apache-2.0",
    callsTools: false,
    hasChecksum: true,
    isInstalled: false,
  },
  {
    name: "house-7b",
    title: "House 7B, from the catalogue of this computer",
    bytes: 4_680_000_000,
    memoryBytes: 6_200_000_000,
    contextTokens: 8_192,
    licence: "MIT",
    callsTools: true,
    hasChecksum: false,
    isInstalled: false,
  },
];

const ollama: LocalModel = {
  name: "qwen3:14b",
  title: "qwen3:14b",
  keeper: "ollama",
  bytes: 9_276_198_565,
  contextTokens: null,
  hasChatTemplate: null,
  path: null,
  isOurs: false,
  isInUse: false,
};

const brought: LocalModel = {
  name: "poems",
  title: "poems",
  keeper: "managed",
  bytes: 812_000_000,
  contextTokens: 4_096,
  hasChatTemplate: false,
  path: "~/Models/poems.gguf",
  isOurs: false,
  isInUse: false,
};

/** The three that could run models here: `llama-server` does, Ollama perhaps, LM Studio does not. */
function waysHere(hasOllama: boolean): LocalWay[] {
  const at = "http://127.0.0.1:11434";
  return [
    { keeper: "ollama", isThere: hasOllama, note: hasOllama ? `at ${at}` : `Ollama does not run at ${at}` },
    { keeper: "lmStudio", isThere: false, note: "LM Studio does not run at http://127.0.0.1:1234" },
    { keeper: "managed", isThere: true, note: "/usr/bin/llama-server" },
  ];
}

/** A computer with Ollama and a file that the person brought. */
export function freshLocalModels(): LocalModels {
  const installed = [brought, ollama];
  return structuredClone({
    ways: waysHere(true),
    installed,
    offered: [...offered],
    catalogueDate: "2026-11-30",
  });
}

/** A computer without any model. */
export function emptyLocalModels(): LocalModels {
  return { ...freshLocalModels(), ways: waysHere(false), installed: [] };
}

/** How each keeper calls a model of the catalogue; it does not have what is not named. */
export function namesOf(name: string): Partial<Record<LocalKeeper, string>> {
  return { ...elsewhere[name], managed: name };
}

const elsewhere: Readonly<Record<string, Partial<Record<LocalKeeper, string>>>> = {
  "qwen3-4b": { ollama: "qwen3:4b", lmStudio: "qwen/qwen3-4b" },
  "qwen2.5-1.5b": { ollama: "qwen2.5:1.5b" },
};
