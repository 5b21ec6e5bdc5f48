import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import { useDraft } from "./useDraft";

describe("a draft", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open(sessionId: string | null, draft = "") {
    const { platform, hook } = scriptedPlatform();
    hook.core.state().drafts[sessionId ?? ""] = draft;
    const wrapper = ({ children }: { children: ReactNode }) => (
      <PlatformProvider value={platform}>{children}</PlatformProvider>
    );
    const saved = () => hook.core.state().drafts[sessionId ?? ""];
    return { ...renderHook(() => useDraft(sessionId), { wrapper }), saved };
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it("comes back from the core", async () => {
    const { result } = open("ses_1", "half a thought");
    await pass(1);
    expect(result.current[0]).toBe("half a thought");
  });

  it("is saved within 300 ms of the last key", async () => {
    const { result, saved } = open(null);
    act(() => result.current[1]("abc"));
    await pass(300);
    expect(saved()).toBe("abc");
  });

  it("is saved when the chat is left", async () => {
    const { result, unmount, saved } = open("ses_1");
    act(() => result.current[1]("leaving"));
    unmount();
    await pass(1);
    expect(saved()).toBe("leaving");
  });

  it("does not overwrite what was typed before it came", async () => {
    const { result } = open("ses_1", "old");
    act(() => result.current[1]("new"));
    await pass(1);
    expect(result.current[0]).toBe("new");
  });
});
