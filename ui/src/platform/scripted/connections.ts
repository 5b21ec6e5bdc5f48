import type {
  ApiError,
  ConfigureProvider,
  ConnectionTest,
  ConnectionView,
  ModelList,
  ProviderStatus,
} from "@/protocol/bindings";
import { apiError } from "../apiError";
import type { Platform } from "../platform";
import type { MakeCommand } from "./commands";
import type { ScriptedCore } from "./core";
import { noProvider, usualFacts } from "./state";

type ConnectionCommands = Pick<
  Platform,
  | "providerStatus"
  | "providerDiscover"
  | "providerConfigure"
  | "connectionsList"
  | "connectionsOrder"
  | "connectionFallback"
  | "connectionRemove"
  | "connectionTest"
  | "connectionModels"
>;

/** The commands about the places where models answer. No key is kept: only that there is one. */
export function connectionCommands(core: ScriptedCore, command: MakeCommand): ConnectionCommands {
  return {
    providerStatus: command("provider_status", () => core.state().provider),
    providerDiscover: command("provider_discover", () => core.state().found),
    providerConfigure: command("provider_configure", (request) => configure(core, request)),
    connectionsList: command("connections_list", () => core.state().connections),
    connectionsOrder: command("connections_order", (names) => {
      const connections = names.map((name) => connection(core, name));
      if (new Set(names).size !== core.state().connections.length) {
        throw apiError("invalidInput", "the order must name each connection once");
      }
      keepConnections(core, connections);
    }),
    connectionFallback: command("connection_fallback", (name, fallback) =>
      change(core, { ...connection(core, name), fallback }),
    ),
    connectionRemove: command("connection_remove", (name) => {
      const gone = connection(core, name);
      for (const session of core.state().sessions) {
        const { chosenModel } = session;
        if (chosenModel === name || chosenModel?.startsWith(`${name}/`)) session.chosenModel = null;
      }
      keepConnections(
        core,
        core.state().connections.filter((other) => other !== gone),
      );
    }),
    connectionTest: command("connection_test", (name) => {
      const tested = connection(core, name);
      const result = core.state().verdicts[name] ?? verdictOf(tested);
      // A test that works is a new start; one that does not is only told.
      if (result.verdict === "works" || result.verdict === "noTools") {
        change(core, { ...tested, problem: null, restsUntil: null });
      }
      return result;
    }),
    connectionModels: command("connection_models", (name) => modelsOf(connection(core, name))),
  };
}

/** Takes these connections; the first one is what answers. */
export function keepConnections(core: ScriptedCore, connections: ConnectionView[]): void {
  core.state().connections = connections;
  core.state().provider = connections[0] ? statusOf(connections[0]) : noProvider;
  core.changed("provider");
}

function connection(core: ScriptedCore, name: string): ConnectionView {
  const found = core.state().connections.find((item) => item.name === name);
  if (!found) throw apiError("notFound", `find the connection ${name}`);
  return found;
}

function change(core: ScriptedCore, changed: ConnectionView): void {
  keepConnections(
    core,
    core.state().connections.map((other) => (other.name === changed.name ? changed : other)),
  );
}

function configure(core: ScriptedCore, request: ConfigureProvider): ProviderStatus {
  const { connections } = core.state();
  const name = request.connection ?? connections[0]?.name ?? "main";
  const before = connections.find((other) => other.name === name) ?? null;
  const problem = faultOf(request, before);
  if (problem) throw problem;
  const { hostname } = new URL(request.baseUrl);
  const local = hostname === "127.0.0.1" || hostname === "localhost";
  const keeps = before?.baseUrl === request.baseUrl;
  const kept: ConnectionView = {
    name,
    label: keeps ? before.label : local ? "Ollama" : hostname,
    kind: request.kind ?? before?.kind ?? "auto",
    baseUrl: request.baseUrl,
    model: request.model || (local ? "qwen3:14b" : "default-model"),
    local,
    key: request.keyEnv ? "environment" : request.apiKey ? "vault" : keeps ? before.key : "none",
    fallback: request.fallback,
    problem: null,
    restsUntil: null,
    facts: keeps ? before.facts : usualFacts(local),
  };
  if (before) change(core, kept);
  else keepConnections(core, [...connections, kept]);
  return statusOf(kept);
}

/** How a connection did last is no part of its status: that tells whether it can be asked at all. */
function statusOf({ label, model, baseUrl, local }: ConnectionView): ProviderStatus {
  return { ready: true, label, model, baseUrl, local, problem: null };
}

/** That name, or with a number the first that is free. */
export function free(connections: readonly ConnectionView[], name: string): string {
  const taken = (wanted: string) => connections.some((other) => other.name === wanted);
  if (!taken(name)) return name;
  let number = 2;
  while (taken(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** A test call that goes by the words of the request: enough to try every error. */
function faultOf(
  { connection: name, baseUrl, model, apiKey, keyEnv }: ConfigureProvider,
  before: ConnectionView | null,
): ApiError | null {
  if (name !== null && !isName(name)) {
    const hint = "Give it a short name without `/` and without spaces around it.";
    return apiError("configInvalid", "`provider.connections[0].name` is not a name for a connection", {
      hint,
    });
  }
  if (!/^https?:\/\/\S+/.test(baseUrl))
    return apiError("invalidInput", "the address must begin with http:// or https://");
  if (baseUrl.includes(":9/") || baseUrl.includes("nowhere"))
    return apiError("unreachable", `reach ${baseUrl}`);
  if (apiKey?.includes("wrong")) return apiError("keyRefused", "use this key");
  if (apiKey?.includes("empty")) return apiError("noCredit", "use this key");
  if (model.includes("missing")) return apiError("modelNotFound", `find the model ${model}`);
  const hasKey = apiKey !== null || keyEnv !== null || (before?.baseUrl === baseUrl && before.key !== "none");
  if (baseUrl.includes("api.") && !hasKey) return apiError("keyMissing", `use ${baseUrl} without a key`);
  return null;
}

/** The core's rule, but for characters that nobody sees. */
function isName(name: string): boolean {
  return name.length >= 1 && name.length <= 40 && name.trim() === name && !/[/\p{Cc}]/u.test(name);
}

function verdictOf({ label, model, local, key }: ConnectionView): ConnectionTest {
  if (!local && key === "none") {
    return {
      verdict: "wrongKey",
      message: `${label} wants a key`,
      hint: "Paste one here.",
      firstTokenMs: null,
    };
  }
  return {
    verdict: "works",
    message: `${label} answered with ${model}`,
    hint: null,
    firstTokenMs: local ? 140 : 620,
  };
}

function modelsOf({ label, local }: ConnectionView): ModelList {
  if (local) return { models: ["qwen3:14b", "llama3.3", "gemma3:4b"], isFallback: false };
  if (label === "Anthropic" || label.endsWith("anthropic.com")) {
    return { models: ["claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1"], isFallback: true };
  }
  return { models: ["default-model", "big-model", "small-model"], isFallback: false };
}
