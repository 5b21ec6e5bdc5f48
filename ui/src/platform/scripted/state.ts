import type {
  AttachedFile,
  Attachment,
  ConnectionTest,
  ConnectionView,
  Draft,
  FoundProvider,
  LocalModels,
  Mode,
  ModelFacts,
  ProviderStatus,
  QueuedMessage,
  SettingsView,
  ThinkLevel,
  TurnEnvelope,
  TurnRecord,
  UsageOfDay,
} from "@/protocol/bindings";
import { apiError } from "../apiError";
import { freshLocalModels } from "./localCatalogue";
import type { Instruction } from "./script";

/** What the scripted core remembers. Plain data: it goes through a reload as JSON. */
export type CoreState = {
  sessions: CoreSession[];
  drafts: Record<string, Draft>;
  /** What was attached, by id. */
  files: Record<string, AttachedFile>;
  provider: ProviderStatus;
  /** In their order; `provider` tells of the first. */
  connections: ConnectionView[];
  /** What the test of a connection says, where a script decided that. */
  verdicts: Record<string, ConnectionTest>;
  /** Newest day first. */
  usage: UsageOfDay[];
  found: FoundProvider[];
  /** What is installed and can be; `isInUse` and `isInstalled` are worked out when they are asked for. */
  local: LocalModels;
  settings: SettingsView;
  nextId: number;
};

export type CoreSession = {
  sessionId: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  deleted: boolean;
  turns: TurnRecord[];
  queue: (QueuedMessage & { mode: Mode; model: string | null })[];
  /** The last number given out. */
  seq: number;
  /** The live events that are still kept. */
  log: TurnEnvelope[];
  running: RunningTurn | null;
  chosenModel: string | null;
  chosenThink: ThinkLevel | null;
};

/** What the person sends: words, files, or both. */
export type Said = { readonly text: string; readonly attachments: Attachment[] };

export type RunningTurn = { turnId: string; left: Instruction[] };

export const localProvider: ProviderStatus = {
  ready: true,
  label: "Ollama",
  model: "qwen3:14b",
  baseUrl: "http://127.0.0.1:11434/v1",
  local: true,
  problem: null,
};

export const noProvider: ProviderStatus = {
  ready: false,
  label: "",
  model: "",
  baseUrl: "",
  local: false,
  problem: apiError("notConfigured", "find a model to ask"),
};

/** Of a model that nobody knows. */
export const nothingKnown: ModelFacts = { contextTokens: null, images: null, tools: null, price: null };

/** What is known of the models of the fake. */
export function usualFacts(local: boolean): ModelFacts {
  if (local) return { ...nothingKnown, contextTokens: 32_768 };
  const price = { inputMicros: 3_000_000, outputMicros: 15_000_000 };
  return { contextTokens: 200_000, images: true, tools: true, price };
}

/** The connection behind a status; none when nothing is set up. */
export function connectionsOf(status: ProviderStatus): ConnectionView[] {
  const { label, model, baseUrl, local } = status;
  if (baseUrl === "") return [];
  return [
    {
      name: label.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
      label,
      kind: "auto",
      baseUrl,
      model,
      local,
      key: local ? "none" : "vault",
      fallback: false,
      problem: null,
      restsUntil: null,
      facts: usualFacts(local),
    },
  ];
}

export function freshState(): CoreState {
  return {
    sessions: [],
    drafts: {},
    files: {},
    provider: localProvider,
    connections: connectionsOf(localProvider),
    verdicts: {},
    usage: [],
    found: [],
    local: freshLocalModels(),
    settings: {
      assistantName: "Namma",
      userName: null,
      theme: "system",
      mode: "agent",
      approvals: "ask_when_it_matters",
      sendWithEnter: true,
      think: "medium",
      spendingPerTurn: "",
      spendingPerDay: "",
      spendingPerMonth: "",
      dataDir: "~/.local/share/namma",
      version: "0.1.0",
    },
    nextId: 1,
  };
}

export const storageKey = "namma.scripted";

export function loadState(storage: Storage | null): CoreState | null {
  const text = storage?.getItem(storageKey);
  if (!text) return null;
  const stored: Partial<CoreState> = JSON.parse(text);
  return { ...freshState(), ...stored };
}

export function saveState(storage: Storage | null, state: CoreState): void {
  storage?.setItem(storageKey, JSON.stringify(state));
}
