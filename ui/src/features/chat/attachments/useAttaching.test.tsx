import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { PlatformProvider } from "@/platform/context";
import { scriptedPlatform } from "@/platform/scripted";
import type { Attachment } from "@/protocol/bindings";
import { useAttaching } from "./useAttaching";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

function open(attached: readonly Attachment[] = []) {
  const { platform, hook } = scriptedPlatform();
  const attach = vi.fn<(attachment: Attachment) => void>();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <PlatformProvider value={platform}>{children}</PlatformProvider>
  );
  return { ...renderHook(() => useAttaching(attached, attach), { wrapper }), attach, hook };
}

function named(name: string, size: number): File {
  const file = new File([png], name);
  Object.defineProperty(file, "size", { value: size });
  return file;
}

describe("attaching", () => {
  it("gives the bytes to the core, and what it says to the draft", async () => {
    const { result, attach, hook } = open();
    act(() => result.current.add([new File([png], "photo.png")]));
    expect(result.current.busy).toBe(true);
    await waitFor(() => expect(result.current.busy).toBe(false));
    const [given] = attach.mock.calls[0] ?? [];
    expect(given).toMatchObject({ name: "photo.png", mediaType: "image/png", sizeBytes: 4 });
    expect(hook.core.state().files[given?.fileId ?? ""]?.base64).toBe("iVBORw==");
    expect(result.current.unattached).toEqual([]);
  });

  it("keeps the order in which files were chosen, however long one takes", async () => {
    const { result, attach } = open();
    const slow = new File([png], "slow.png");
    const bytes = slow.arrayBuffer();
    slow.arrayBuffer = () => new Promise((resolve) => setTimeout(() => resolve(bytes), 50));
    act(() => result.current.add([slow, new File(["quick"], "quick.txt")]));
    await waitFor(() => expect(attach).toHaveBeenCalledTimes(2));
    expect(attach.mock.calls.map(([{ name }]) => name)).toEqual(["slow.png", "quick.txt"]);
  });

  it("refuses 48 MB with the reason and without reading it", () => {
    const { result, attach, hook } = open();
    act(() => result.current.add([named("film.mp4", 48_000_000)]));
    expect(result.current.unattached).toMatchObject([{ name: "film.mp4", refusal: "48 MB, limit 20 MB" }]);
    expect(hook.calls).toEqual([]);
    expect(attach).not.toHaveBeenCalled();
    act(() => result.current.dismiss(result.current.unattached[0]?.localId ?? ""));
    expect(result.current.unattached).toEqual([]);
  });

  it("takes 20 files and says why no more", async () => {
    const there = (index: number) => ({
      fileId: `f${index}`,
      name: "a",
      mediaType: "text/plain",
      sizeBytes: 1,
    });
    const { result, attach } = open(Array.from({ length: 19 }, (_, index) => there(index)));
    act(() => result.current.add([new File([png], "20.png"), new File([png], "21.png")]));
    await waitFor(() => expect(attach).toHaveBeenCalledTimes(1));
    expect(result.current.unattached).toMatchObject([
      { name: "21.png", refusal: "a message takes 20 files" },
    ]);
  });

  it("tells what the core refuses, and what cannot be read", async () => {
    const { result, attach } = open();
    const gone = new File([png], "gone.txt");
    gone.arrayBuffer = () => Promise.reject(new DOMException("it vanished", "NotFoundError"));
    act(() => result.current.add([new File([], "empty.txt"), gone]));
    await waitFor(() => expect(result.current.busy).toBe(false));
    const refusals = result.current.unattached.map(({ name, refusal }) => `${name}: ${refusal}`);
    expect(refusals.sort()).toEqual(["empty.txt: `empty.txt` is empty", "gone.txt: it could not be read"]);
    expect(attach).not.toHaveBeenCalled();
    act(() => result.current.clear());
    expect(result.current.unattached).toEqual([]);
  });
});
