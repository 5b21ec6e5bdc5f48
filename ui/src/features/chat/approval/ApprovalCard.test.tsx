import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scriptedPlatform } from "@/platform/scripted";
import type { ApprovalRequest } from "@/protocol/bindings";
import { createLive, type Live, LiveProvider } from "@/state";
import { ApprovalCard } from "./ApprovalCard";
import { ARMING_MS } from "./arming";

const request: ApprovalRequest = {
  approvalId: "apr_1",
  sessionId: "ses_1",
  callId: "call_1",
  tool: "run_shell",
  sentence: "Delete 3 files in Downloads",
  reasons: ["They are yours."],
  effects: [],
  preview: { type: "paths", paths: ["/home/a/1", "/home/a/2", "/home/a/<img src=x>.pdf"] },
  input: { paths: 3 },
  payloadHash: "hash",
  undo: null,
  scopes: ["once", "session"],
  sandbox: null,
  askedAt: 0,
};

let resolveApproval: ReturnType<typeof vi.fn>;

function show(change: Partial<ApprovalRequest> = {}, askedAgain = false) {
  const live: Live = {
    ...createLive(scriptedPlatform().platform, { onDataChanged: () => {} }),
    resolveApproval: resolveApproval as unknown as Live["resolveApproval"],
  };
  render(
    <LiveProvider value={live}>
      <ApprovalCard request={{ ...request, ...change }} askedAgain={askedAgain} />
    </LiveProvider>,
  );
  return screen.getByRole("region", { name: /Your turn: / });
}

async function arm() {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ARMING_MS + 1);
  });
}

describe("the approval card", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("IntersectionObserver", undefined);
    resolveApproval = vi.fn(async () => {});
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("names what would happen, why it asks and whether it can be undone", () => {
    const card = show();
    expect(card.textContent).toContain("Delete 3 files in Downloads");
    expect(card.textContent).toContain("They are yours.");
    expect(card.textContent).toContain("Cannot be undone");
    expect(card.textContent).toContain("/home/a/<img src=x>.pdf");
    expect(card.querySelector("img")).toBeNull();
  });

  it("shows each fact that would be forgotten, as text", () => {
    const facts = ["I like tea", "<img src=x> is my flat"];
    const card = show({ sentence: "Forget these 2 things for good", preview: { type: "facts", facts } });
    for (const fact of facts) expect(screen.getByText(fact)).toBeTruthy();
    expect(card.querySelector("img")).toBeNull();
  });

  it("does nothing before it is armed", async () => {
    const card = show();
    fireEvent.click(screen.getByRole("button", { name: /Allow/ }));
    fireEvent.keyDown(card, { key: "Enter" });
    fireEvent.click(screen.getByRole("button", { name: /Don't/ }));
    await arm();
    expect(resolveApproval).not.toHaveBeenCalled();
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("allows with Enter on the card, with the hash that was shown", async () => {
    const card = show();
    await arm();
    fireEvent.keyDown(card, { key: "Enter" });
    await arm();
    expect(resolveApproval).toHaveBeenCalledExactlyOnceWith({
      approvalId: "apr_1",
      payloadHash: "hash",
      decision: { type: "allow", scope: "once" },
    });
  });

  it("leaves Enter to a button that has the focus", async () => {
    show();
    await arm();
    fireEvent.keyDown(screen.getByRole("button", { name: /Don't/ }), { key: "Enter" });
    fireEvent.keyDown(screen.getByRole("button", { name: "Exact arguments" }), { key: "Enter" });
    expect(resolveApproval).not.toHaveBeenCalled();
  });

  it("leaves the keys of an input method alone", async () => {
    const card = show();
    await arm();
    fireEvent.keyDown(card, { key: "Enter", isComposing: true });
    fireEvent.keyDown(card, { key: "Enter", keyCode: 229 });
    expect(resolveApproval).not.toHaveBeenCalled();
  });

  it("chooses a scope with its digit, but only one that is offered", async () => {
    const card = show();
    await arm();
    fireEvent.keyDown(card, { key: "3" });
    fireEvent.keyDown(card, { key: "2" });
    fireEvent.keyDown(card, { key: "Enter" });
    expect(resolveApproval.mock.lastCall?.[0]).toMatchObject({
      decision: { type: "allow", scope: "session" },
    });
  });

  it("declines with Esc, twice, without a word", async () => {
    const card = show();
    await arm();
    fireEvent.keyDown(card, { key: "Escape" });
    fireEvent.keyDown(screen.getByRole("textbox"), { key: "Escape" });
    expect(resolveApproval.mock.lastCall?.[0]).toMatchObject({ decision: { type: "decline", note: null } });
  });

  it("answers once, however often it is pressed", async () => {
    resolveApproval = vi.fn(() => new Promise(() => {}));
    show();
    await arm();
    fireEvent.click(screen.getByRole("button", { name: /Allow/ }));
    fireEvent.click(screen.getByRole("button", { name: /Allow/ }));
    expect(resolveApproval).toHaveBeenCalledTimes(1);
  });

  it("can be answered again when the answer did not arrive", async () => {
    resolveApproval = vi.fn(async () => {
      throw { code: "unreachable", message: "reach it", hint: null, retryAfterMs: null };
    });
    show();
    await arm();
    fireEvent.click(screen.getByRole("button", { name: /Allow/ }));
    await arm();
    expect(screen.getByRole("alert").textContent).toContain("Can't reach");
    fireEvent.click(screen.getByRole("button", { name: /Allow/ }));
    expect(resolveApproval).toHaveBeenCalledTimes(2);
  });

  it("says so when what would run has changed", () => {
    show({}, true);
    expect(screen.getByRole("alert").textContent).toContain("The action changed after you saw it");
  });
});
