import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isImeKey, watchComposition } from "./ime";

const target = new EventTarget();
let stop = () => {};

beforeEach(() => {
  stop = watchComposition(target);
});
afterEach(() => stop());

function compositionEndsAt(timeStamp: number): void {
  const event = new Event("compositionend");
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  target.dispatchEvent(event);
}

describe("isImeKey", () => {
  it("leaves keys alone while something is being composed", () => {
    expect(isImeKey({ isComposing: true, timeStamp: 0 })).toBe(true);
    expect(isImeKey({ nativeEvent: { isComposing: true }, timeStamp: 0 })).toBe(true);
  });

  it("leaves keys alone that an input method handles, as Safari tells it", () => {
    expect(isImeKey({ keyCode: 229, timeStamp: 0 })).toBe(true);
  });

  it("leaves the key alone that confirms a composition, up to 30 ms after it", () => {
    compositionEndsAt(1000);
    expect(isImeKey({ keyCode: 13, timeStamp: 1010 })).toBe(true);
    expect(isImeKey({ keyCode: 13, timeStamp: 1030 })).toBe(false);
  });

  it("takes any other key", () => {
    expect(isImeKey({ isComposing: false, keyCode: 13, timeStamp: 5000 })).toBe(false);
  });
});
