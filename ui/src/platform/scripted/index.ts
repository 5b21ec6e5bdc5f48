import type { Platform } from "../platform";
import { type Boot, type ScriptedHook, scriptedPlatform } from "./hook";

export { type ScriptedHook, scriptedPlatform } from "./hook";
export type { Script, ScriptStep } from "./script";

declare global {
  interface Window {
    __namma?: ScriptedHook;
    __nammaBoot?: Boot;
  }
}

/** For a page in a browser: keeps its state over a reload and shows its hook to tests. */
export function browserPlatform(): Platform {
  const { platform, hook } = scriptedPlatform({ storage: localStorage, ...window.__nammaBoot });
  window.__namma = hook;
  window.addEventListener("pagehide", () => hook.core.save());
  hook.core.goOn();
  return platform;
}
