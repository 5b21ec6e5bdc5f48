import type {
  AttachedFile,
  Attachment,
  Draft,
  FoundProvider,
  Mode,
  ProviderStatus,
  QueuedMessage,
  SettingsView,
  TurnEnvelope,
  TurnRecord,
} from "@/protocol/bindings";
import { apiError } from "../apiError";
import type { Instruction } from "./script";

/** What the scripted core remembers. Plain data: it goes through a reload as JSON. */
export type CoreState = {
  sessions: CoreSession[];
  drafts: Record<string, Draft>;
  /** What was attached, by id. */
  files: Record<string, AttachedFile>;
  provider: ProviderStatus;
  found: FoundProvider[];
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

export function freshState(): CoreState {
  return {
    sessions: [],
    drafts: {},
    files: {},
    provider: localProvider,
    found: [],
    settings: {
      assistantName: "Namma",
      userName: null,
      theme: "system",
      mode: "agent",
      approvals: "ask_when_it_matters",
      sendWithEnter: true,
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
