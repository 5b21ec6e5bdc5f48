import type {
  ConnectionView,
  InstallLocalModel,
  InstallProgress,
  LocalKeeper,
  LocalModel,
  LocalModels,
  OfferedModel,
  RemovedLocalModel,
} from "@/protocol/bindings";
import { apiError } from "../apiError";
import type { Platform } from "../platform";
import type { MakeCommand } from "./commands";
import { free, keepConnections } from "./connections";
import type { ScriptedCore } from "./core";
import { namesOf } from "./localCatalogue";
import { nothingKnown } from "./state";

type LocalCommands = Pick<
  Platform,
  "localModels" | "localInstall" | "localInstallStop" | "localRemove" | "localUse"
>;

/** An installation that is waited for. */
export type RunningInstall = {
  readonly tell: (progress: InstallProgress) => void;
  readonly stop: () => void;
};

/** Between two words about an installation that no test drives. */
const STEP_MS = 220;

/** The commands about models on this computer. Nothing is fetched: only told. */
export function localCommands(core: ScriptedCore, command: MakeCommand): LocalCommands {
  return {
    localModels: command("local_models", () => marked(core)),
    localInstall: async (request, onProgress) => {
      const stopping = stopper(request.model);
      const running: RunningInstall = { tell: onProgress, stop: stopping.stop };
      const goesOn = () => core.installs.get(request.model) === running;
      const begin = command("local_install", (wish: InstallLocalModel) => {
        const model = offeredAs(core, wish);
        core.installs.set(wish.model, running);
        onProgress({ type: "starting" });
        return model;
      });
      // Held back by a test, it is the test that tells how far it is.
      const isDriven = core.held("local_install") !== null;
      try {
        const model = await Promise.race([begin(request), stopping.stopped]);
        if (!isDriven) await Promise.race([play(model, onProgress, goesOn), stopping.stopped]);
        return keep(core, model);
      } finally {
        if (goesOn()) core.installs.delete(request.model);
      }
    },
    localInstallStop: command("local_install_stop", (model) => core.installs.get(model)?.stop()),
    localRemove: command("local_remove", (name, keeper) => remove(core, name, keeper)),
    localUse: command("local_use", (model) => use(core, model)),
  };
}

function stopper(model: string) {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const hint = "What has arrived is kept; installing it again goes on from there.";
    stop = () => reject(apiError("stopped", `installing ${model} was stopped`, { hint }));
  });
  return { stopped, stop };
}

function marked(core: ScriptedCore): LocalModels {
  const { local } = core.state();
  return {
    ...local,
    installed: local.installed.map((model) => ({ ...model, isInUse: answers(core, model) })),
    offered: local.offered.map((offered) => ({
      ...offered,
      isInstalled: local.installed.some(({ keeper, name }) => namesOf(offered.name)[keeper] === name),
    })),
  };
}

function answers(core: ScriptedCore, { keeper, name }: LocalModel): boolean {
  const first = core.state().connections[0];
  return first?.model === name && first.local && (first.kind === "managed_local") === (keeper === "managed");
}

function offeredAs(core: ScriptedCore, { model }: InstallLocalModel): OfferedModel {
  const { ways, offered } = core.state().local;
  const own = ways.find(({ keeper }) => keeper === "managed");
  if (!own?.isThere) {
    throw apiError("notConfigured", "there is no program `llama-server` to run models with", {
      hint: own?.note ?? null,
    });
  }
  const found = offered.find(({ name }) => name === model);
  if (!found) throw apiError("notFound", `there is no model \`${model}\` here`);
  return found;
}

/** An installation as it goes on a quick line. */
async function play(
  { bytes }: OfferedModel,
  tell: (progress: InstallProgress) => void,
  goesOn: () => boolean,
): Promise<void> {
  const tenths = Array.from({ length: 11 }, (_, tenth): InstallProgress => {
    return { type: "downloading", doneBytes: Math.round((bytes * tenth) / 10), totalBytes: bytes };
  });
  const threads = [1, 2, 4].map((count): InstallProgress => ({ type: "measuring", threads: count }));
  for (const progress of [...tenths, { type: "checking" } as const, ...threads]) {
    if (!goesOn()) return;
    tell(progress);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

function keep(
  core: ScriptedCore,
  { name, title, bytes, contextTokens, callsTools }: OfferedModel,
): LocalModel {
  const model: LocalModel = {
    name,
    title,
    keeper: "managed",
    bytes,
    contextTokens,
    hasChatTemplate: callsTools,
    path: `~/.local/share/namma/models/${name}.gguf`,
    isOurs: true,
    isInUse: false,
  };
  const { local } = core.state();
  local.installed = [model, ...local.installed.filter((other) => other.name !== name)];
  core.changed("provider");
  return model;
}

function remove(core: ScriptedCore, name: string, keeper: LocalKeeper | null): RemovedLocalModel {
  const { local } = core.state();
  const gone = local.installed.find(
    (model) => model.name === name && (keeper === null || model.keeper === keeper),
  );
  if (!gone) throw apiError("notFound", `there is no model \`${name}\` here`);
  local.installed = local.installed.filter((model) => model !== gone);
  core.changed("provider");
  const stays = gone.keeper === "managed" && !gone.isOurs;
  return {
    name,
    keeper: gone.keeper,
    freedBytes: stays ? 0 : (gone.bytes ?? 0),
    keptFile: stays ? gone.path : null,
    wasInUse: answers(core, gone),
  };
}

/** It answers first; what answered before stays, behind it. */
function use(core: ScriptedCore, { keeper, name, contextTokens }: LocalModel): void {
  const { connections } = core.state();
  const place = places[keeper];
  const known = connections.find(({ kind, baseUrl }) => kind === place.kind && baseUrl === place.baseUrl);
  const fresh = { ...place, name: free(connections, place.name) };
  const facts = { ...nothingKnown, contextTokens };
  // A new start: what went wrong before was another model.
  const chosen: ConnectionView = { ...(known ?? fresh), model: name, facts, problem: null, restsUntil: null };
  keepConnections(core, [chosen, ...connections.filter((other) => other !== known)]);
}

const place = {
  kind: "auto",
  local: true,
  key: "none",
  fallback: true,
  problem: null,
  restsUntil: null,
} as const;

const places: Record<LocalKeeper, Omit<ConnectionView, "model" | "facts">> = {
  managed: {
    ...place,
    name: "local",
    label: "the model on this computer",
    kind: "managed_local",
    baseUrl: "",
  },
  ollama: { ...place, name: "ollama", label: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  lmStudio: { ...place, name: "lm-studio", label: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
};
