import { createStore, type StoreApi } from "zustand";
import { announce } from "@/components/Announcer";
import { toApiError } from "@/platform/apiError";
import type { Platform } from "@/platform/platform";
import type { ApiError, InstallProgress, LocalModel } from "@/protocol/bindings";
import { titleOf } from "./words";

/** How it stands with the installation of one model; `notTried` is why it is not known whether it runs. */
export type Install =
  | {
      readonly type: "running";
      readonly progress: InstallProgress;
      readonly notTried: string | null;
      /** Stop was pressed; `asked`: the core has heard it, which may have been too early to find anything. */
      readonly stop: "no" | "asking" | "asked";
    }
  | { readonly type: "stopped" }
  | { readonly type: "failed"; readonly error: ApiError }
  | { readonly type: "done"; readonly model: LocalModel; readonly notTried: string | null };

export type Wanted = { readonly name: string; readonly title: string };

/** The installations by the names of the catalogue. */
export type Installs = {
  readonly store: StoreApi<Readonly<Record<string, Install>>>;
  /** Resolves when it has ended, in whichever way. */
  readonly begin: (wanted: Wanted) => Promise<void>;
  readonly stop: (wanted: Wanted) => Promise<void>;
};

/** They go on while the person looks at other pages, so they belong to the host and to no view. */
const ofHost = new WeakMap<Platform, Installs>();

export function installsOf(platform: Platform): Installs {
  const known = ofHost.get(platform) ?? createInstalls(platform);
  ofHost.set(platform, known);
  return known;
}

function createInstalls(platform: Platform): Installs {
  const store = createStore<Readonly<Record<string, Install>>>()(() => ({}));

  function set(name: string, install: Install): void {
    store.setState({ [name]: install });
  }

  function running(name: string) {
    const install = store.getState()[name];
    return install?.type === "running" ? install : null;
  }

  /** The last word may come after the answer: they take two ways. */
  function hear(name: string, progress: InstallProgress): void {
    const install = store.getState()[name];
    if (install?.type === "running") {
      const notTried = progress.type === "notTried" ? progress.why : install.notTried;
      set(name, { ...install, progress, notTried });
    } else if (install?.type === "done" && progress.type === "notTried") {
      set(name, { ...install, notTried: progress.why });
    }
  }

  async function begin({ name, title }: Wanted): Promise<void> {
    if (running(name)) return;
    set(name, { type: "running", progress: { type: "starting" }, notTried: null, stop: "no" });
    announce(`Installing ${titleOf(title)}`);
    try {
      const request = { model: name, keeper: null, name: null, chatTemplate: null };
      const model = await platform.localInstall(request, (progress) => hear(name, progress));
      set(name, { type: "done", model, notTried: running(name)?.notTried ?? null });
      announce(`${titleOf(title)} is installed`);
    } catch (thrown) {
      const error = toApiError(thrown);
      const isStopped = error.code === "stopped";
      set(name, isStopped ? { type: "stopped" } : { type: "failed", error });
      if (isStopped) announce(`Installing ${titleOf(title)} was stopped`);
    }
  }

  async function stop({ name }: Wanted): Promise<void> {
    const before = running(name);
    if (!before || before.stop === "asking") return;
    set(name, { ...before, stop: "asking" });
    // When the core cannot be told, it goes on, and the button is there again.
    const heard = await platform.localInstallStop(name).then(
      () => "asked" as const,
      () => "no" as const,
    );
    const still = running(name);
    if (still) set(name, { ...still, stop: heard });
  }

  return { store, begin, stop };
}
