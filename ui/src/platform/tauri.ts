import { Channel } from "@tauri-apps/api/core";
import { type AppEvent, commands, type InstallProgress } from "@/protocol/bindings";
import { internalError } from "./apiError";
import type { Platform } from "./platform";

/** How a generated command answers. */
type Result<T, E> = { status: "ok"; data: T } | { status: "error"; error: E };

/** The host is the desktop program. The only file of ours that knows Tauri. */
export function tauriPlatform(): Platform {
  return {
    startState: () => data(commands.startState()),
    startAgain: () => data(commands.startAgain()),
    quit: () => done(commands.appQuit()),
    sessionList: () => data(commands.sessionList()),
    sessionOpen: (request) => data(commands.sessionOpen(request)),
    sessionRename: (id, title) => done(commands.sessionRename(id, title)),
    sessionDelete: (id) => done(commands.sessionDelete(id)),
    sessionRestore: (id) => done(commands.sessionRestore(id)),
    sessionChoose: (request) => done(commands.sessionChoose(request)),
    sessionSearch: (query, limit) => data(commands.sessionSearch(query, limit)),
    turnSend: (request) => data(commands.turnSend(request)),
    turnCancel: (id) => done(commands.turnCancel(id)),
    turnRetry: (id) => data(commands.turnRetry(id)),
    turnEventsSince: (id, seq) => data(commands.turnEventsSince(id, seq)),
    queueRemove: (_id, queuedId) => done(commands.queueRemove(queuedId)),
    queueSendNow: (id, queuedId) => done(commands.queueSendNow(id, queuedId)),
    approvalResolve: (request) => done(commands.approvalResolve(request)),
    draftSave: (id, draft) => done(commands.draftSave(id, draft)),
    draftGet: (id) => data(commands.draftGet(id)),
    attachmentAdd: (request) => data(commands.attachmentAdd(request)),
    attachmentGet: (fileId) => data(commands.attachmentGet(fileId)),
    providerStatus: () => data(commands.providerStatus()),
    providerDiscover: () => data(commands.providerDiscover()),
    providerConfigure: (request) => data(commands.providerConfigure(request)),
    connectionsList: () => data(commands.connectionsList()),
    connectionsOrder: (names) => done(commands.connectionsOrder(names)),
    connectionFallback: (name, fallback) => done(commands.connectionFallback(name, fallback)),
    connectionRemove: (name) => done(commands.connectionRemove(name)),
    connectionTest: (name) => data(commands.connectionTest(name)),
    connectionModels: (name) => data(commands.connectionModels(name)),
    localModels: () => data(commands.localModels()),
    localInstall: (request, onProgress) =>
      data(commands.localInstall(request, new Channel<InstallProgress>(onProgress))),
    localInstallStop: (model) => done(commands.localInstallStop(model)),
    localRemove: (name, keeper) => data(commands.localRemove(name, keeper)),
    localUse: (model) => done(commands.localUse(model)),
    usageByDay: (days) => data(commands.usageByDay(days)),
    settingsGet: () => data(commands.settingsGet()),
    settingsSet: (request) => done(commands.settingsSet(request)),
    statusChecks: () => data(commands.statusChecks()),
    linkOpen: (url) => done(commands.linkOpen(url)),

    async subscribe(onBatch) {
      let open = true;
      const channel = new Channel<AppEvent[]>((batch) => {
        if (open) onBatch(batch);
      });
      await done(commands.eventsSubscribe(channel));
      return () => {
        open = false;
      };
    },
    onConnection(listener) {
      // The core lives in the program that shows this page: while the page runs, it answers.
      listener("connected");
      return () => {};
    },
  };
}

async function data<T, E>(call: Promise<Result<T, E>>): Promise<T> {
  let result: Result<T, E>;
  try {
    result = await call;
  } catch (cause) {
    throw internalError("reach the assistant", cause);
  }
  if (result.status === "error") throw result.error;
  return result.data;
}

async function done<E>(call: Promise<Result<unknown, E>>): Promise<void> {
  await data(call);
}
