import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import type { Attachment } from "@/protocol/bindings";
import { useDraft } from "./useDraft";

const photo: Attachment = { fileId: "f1", name: "photo.png", mediaType: "image/png", sizeBytes: 10 };
const notes: Attachment = { fileId: "f2", name: "notes.txt", mediaType: "text/plain", sizeBytes: 20 };

describe("a draft", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open(sessionId: string | null, text = "", attachments: Attachment[] = []) {
    const { platform, hook } = scriptedPlatform();
    hook.core.state().drafts[sessionId ?? ""] = { text, attachments };
    const wrapper = ({ children }: { children: ReactNode }) => (
      <PlatformProvider value={platform}>{children}</PlatformProvider>
    );
    const saved = () => hook.core.state().drafts[sessionId ?? ""];
    return { ...renderHook(() => useDraft(sessionId), { wrapper }), saved };
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it("comes back from the core with its files", async () => {
    const { result } = open("ses_1", "half a thought", [photo, notes]);
    await pass(1);
    expect(result.current).toMatchObject({ text: "half a thought", attachments: [photo, notes] });
  });

  it("is saved within 300 ms of the last key", async () => {
    const { result, saved } = open(null);
    act(() => result.current.setText("abc"));
    await pass(300);
    expect(saved()).toEqual({ text: "abc", attachments: [] });
  });

  it("is saved when the chat is left", async () => {
    const { result, unmount, saved } = open("ses_1");
    await pass(1);
    act(() => result.current.setText("leaving"));
    act(() => result.current.attach(photo));
    unmount();
    await pass(1);
    expect(saved()).toEqual({ text: "leaving", attachments: [photo] });
  });

  it("does not overwrite what was typed before it came, and loses no file", async () => {
    const { result, saved } = open("ses_1", "old", [photo]);
    act(() => result.current.setText("new"));
    act(() => result.current.attach(notes));
    await pass(300);
    expect(result.current).toMatchObject({ text: "new", attachments: [photo, notes] });
    expect(saved()).toEqual({ text: "new", attachments: [photo, notes] });
  });

  it("has each file once, gives it back, and is gone once it is sent", async () => {
    const { result, saved } = open(null);
    await pass(1);
    act(() => result.current.attach(photo, notes, photo));
    expect(result.current.attachments).toEqual([photo, notes]);
    act(() => result.current.detach("f1"));
    expect(result.current.attachments).toEqual([notes]);
    act(() => result.current.clear());
    await pass(300);
    expect(saved()).toEqual({ text: "", attachments: [] });
  });

  it("does not come back when it was sent before it came", async () => {
    const { result } = open(null, "old", [photo]);
    act(() => result.current.clear());
    await pass(1);
    expect(result.current).toMatchObject({ text: "", attachments: [] });
  });

  it("gets a file that was still being read when its chat was left, and keeps what is newer", async () => {
    const { result, unmount, saved } = open("ses_1", "as it is", [photo]);
    await pass(1);
    const { attach } = result.current;
    unmount();
    attach(notes);
    await pass(1);
    expect(saved()).toEqual({ text: "as it is", attachments: [photo, notes] });
  });
});
