import type { Platform } from "./platform";

export type { Connection, Platform, Unsubscribe } from "./platform";

/** The desktop program when there is one, else the scripted core. */
export async function choosePlatform(): Promise<Platform> {
  if ("__TAURI_INTERNALS__" in window) {
    const { tauriPlatform } = await import("./tauri");
    return tauriPlatform();
  }
  const { browserPlatform } = await import("./scripted");
  return browserPlatform();
}
