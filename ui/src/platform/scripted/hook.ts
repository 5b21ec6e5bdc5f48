import type {
  ApiError,
  ConnectionTest,
  ConnectionView,
  ErrorCode,
  FoundProvider,
  InstallProgress,
  LocalModels,
  ProviderStatus,
  TurnEvent,
  UsageOfDay,
} from "@/protocol/bindings";
import type { Json } from "@/protocol/json";
import { apiError } from "../apiError";
import { scriptedCommands } from "./commands";
import { keepConnections } from "./connections";
import { type CoreOptions, createCore, type ScriptedCore } from "./core";
import { emptyLocalModels } from "./localCatalogue";
import type { Script } from "./script";
import { connectionsOf, noProvider } from "./state";

/** What tests use to steer the scripted core; `window.__namma` in a page. */
export type ScriptedHook = {
  /** How the next turns go, one script each. */
  readonly script: (...scripts: Script[]) => void;
  /** The next call of this command fails. */
  readonly fail: (command: string, error: ErrorCode | ApiError) => void;
  /** Keeps the answers of a command back, until `release`. */
  readonly hold: (command: string) => void;
  readonly release: (command: string) => void;
  /** Changes what the waiting call would do, without telling the interface. */
  readonly tamper: (input?: Json) => void;
  readonly killCore: () => void;
  /** Comes back as a new process; `goOn` continues what ran, else it counts as interrupted. */
  readonly resumeCore: (goOn?: boolean) => void;
  /** Loses every event after the next `count` ones. */
  readonly cutChannel: (count: number) => void;
  readonly restoreChannel: () => void;
  /** How many live events a session keeps for "since n". */
  readonly keepEvents: (count: number) => void;
  readonly setProvider: (status: ProviderStatus) => void;
  /** The connections in their order; the first one answers. */
  readonly setConnections: (connections: ConnectionView[]) => void;
  /** What the test of this connection says from now on. */
  readonly setVerdict: (name: string, verdict: ConnectionTest) => void;
  readonly setUsage: (usage: UsageOfDay[]) => void;
  readonly setFound: (found: FoundProvider[]) => void;
  /** What is on this computer, can be installed, and could run it; what is left out stays. */
  readonly setLocalModels: (models: Partial<LocalModels>) => void;
  /** How far an installation is; it waits for this, and for `release`, while `local_install` is held. */
  readonly tellInstall: (model: string, progress: InstallProgress) => void;
  /** Makes a stored chat; `turns` are lists of events without `turnStarted` and `turnFinished`. */
  readonly addSession: (title: string, turns: readonly StoredTurn[], updatedAt?: number) => string;
  /** The person chose Quit in the tray while these chats are being answered. */
  readonly askToQuit: (running: readonly string[]) => void;
  readonly calls: readonly { command: string; args: unknown[] }[];
  readonly core: ScriptedCore;
};

export type StoredTurn = {
  readonly question: string;
  readonly answer: string;
  readonly events?: readonly TurnEvent[];
};

/** What a page may set before it starts. Used once: a reload keeps the state it left. */
export type Boot = {
  readonly firstRun?: boolean;
  readonly found?: FoundProvider[];
  /** Why the core cannot start, until it is asked to try again. */
  readonly failure?: ApiError;
  /** What the start has to tell. */
  readonly notes?: ApiError[];
};

/** A platform whose core is scripted, and the hook that steers it. */
export function scriptedPlatform(options: CoreOptions & Boot = {}) {
  const initial = {
    ...(options.firstRun ? { provider: noProvider, connections: [], local: emptyLocalModels() } : {}),
    ...(options.found ? { found: options.found } : {}),
    ...options.initial,
  };
  const core = createCore({ ...options, initial });
  const calls: { command: string; args: unknown[] }[] = [];
  const start = { failure: options.failure ?? null, notes: options.notes ?? [] };
  const platform = scriptedCommands(core, calls, start);
  const hook: ScriptedHook = {
    script: (...scripts) => {
      for (const script of scripts) core.script(script);
    },
    fail: (command, error) =>
      core.fail(command, typeof error === "string" ? apiError(error, "finish that") : error),
    hold: (command) => core.hold(command),
    release: (command) => core.release(command),
    tamper: (input) => core.tamper(input ?? { changed: true }),
    killCore: () => core.kill(),
    resumeCore: (goOn = true) => core.resume(goOn),
    cutChannel: (count) => core.cutChannel(count),
    restoreChannel: () => core.restoreChannel(),
    keepEvents: (count) => core.keepEvents(count),
    setProvider: (status) => {
      core.state().provider = status;
      core.state().connections = connectionsOf(status);
      core.changed("provider");
    },
    setConnections: (connections) => keepConnections(core, connections),
    setVerdict: (name, verdict) => {
      core.state().verdicts[name] = verdict;
    },
    setUsage: (usage) => {
      core.state().usage = usage;
    },
    setFound: (found) => {
      core.state().found = found;
    },
    setLocalModels: (models) => {
      core.state().local = { ...core.state().local, ...models };
      core.changed("provider");
    },
    tellInstall: (model, progress) => core.installs.get(model)?.tell(progress),
    addSession: (title, turns, updatedAt = core.now()) => addSession(core, title, turns, updatedAt),
    askToQuit: (running) => core.post({ type: "quitAsked", running: [...running] }),
    calls,
    core,
  };
  return { platform, hook };
}

function addSession(core: ScriptedCore, title: string, turns: readonly StoredTurn[], at: number): string {
  const sessionId = core.freshId("ses");
  core.state().sessions.push({
    sessionId,
    title,
    createdAt: at,
    updatedAt: at,
    deleted: false,
    turns: turns.map(({ question, answer, events }) => ({
      turnId: core.freshId("turn"),
      events: [
        {
          type: "turnStarted",
          userText: question,
          attachments: [],
          model: "qwen3:14b",
          mode: "agent",
          startedAt: at,
        },
        ...(events ?? []),
        { type: "textDelta", text: answer },
        { type: "textEnded", preamble: false },
        { type: "turnFinished", outcome: { type: "answered", text: answer }, finishedAt: at },
      ],
    })),
    queue: [],
    seq: 0,
    log: [],
    running: null,
    chosenModel: null,
    chosenThink: null,
  });
  core.changed("sessions");
  return sessionId;
}
