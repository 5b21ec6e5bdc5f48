import { expect, it } from "vitest";
import { apiError } from "@/platform/apiError";
import { scriptedPlatform } from "@/platform/scripted";
import type { ErrorCode } from "@/protocol/bindings";
import { installsOf } from "./installs";

/** How an installation ends when the core says this after Stop. */
async function endsWith(code: ErrorCode): Promise<unknown> {
  let fail: (error: unknown) => void = () => {};
  const ending = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const platform = {
    ...scriptedPlatform().platform,
    localInstall: () => ending,
    localInstallStop: async () => {},
  };
  const { store, begin, stop } = installsOf(platform);
  const wanted = { name: "qwen3-4b", title: "Qwen3 4B" };
  const begun = begin(wanted);
  await stop(wanted);
  fail(apiError(code, "no"));
  await begun;
  return store.getState()["qwen3-4b"];
}

it("takes nothing but a stop for a stop", async () => {
  expect(await endsWith("stopped")).toEqual({ type: "stopped" });
  expect(await endsWith("invalidInput")).toMatchObject({ type: "failed", error: { code: "invalidInput" } });
});
