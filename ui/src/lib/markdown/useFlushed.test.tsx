import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useFlushed } from "./useFlushed";

const FRAME_MS = 16;
const nowhere = { current: null };

function follow() {
  const shown = new Set<string>();
  const use = ({ text, growing }: { text: string; growing: boolean }) => {
    const flushed = useFlushed(text, growing, nowhere);
    shown.add(flushed);
    return flushed;
  };
  return { shown, ...renderHook(use, { initialProps: { text: "", growing: true } }) };
}

describe("a text that grows", () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance", "setTimeout"],
    });
  });
  afterEach(() => void vi.useRealTimers());

  const frame = () => act(() => vi.advanceTimersByTimeAsync(FRAME_MS));

  it("is rendered at most twenty times a second, however often it grows", async () => {
    const { shown, rerender } = follow();
    const frames = 63;
    for (let count = 1; count <= frames; count++) {
      rerender({ text: "a".repeat(count), growing: true });
      await frame();
    }
    expect(shown.size).toBeGreaterThan(10);
    expect(shown.size).toBeLessThanOrEqual((frames * FRAME_MS) / 50 + 2);
  });

  it("is whole in the frame after it stopped growing, on a machine too slow for many", async () => {
    const { result, rerender } = follow();
    const slowFrame = () => act(() => vi.advanceTimersToNextTimerAsync());
    for (let count = 1; count <= 60; count++) {
      rerender({ text: "a".repeat(count), growing: true });
      await frame();
    }
    rerender({ text: "the end of it", growing: true });
    await slowFrame();
    rerender({ text: "the end of it, whole", growing: false });
    await slowFrame();
    expect(result.current).toBe("the end of it, whole");
  });
});
