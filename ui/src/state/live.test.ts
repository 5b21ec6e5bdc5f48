import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scriptedPlatform } from "@/platform/scripted";
import { createLive, type Live } from "./live";
import { richScript } from "./testTurns";
import type { TurnView } from "./turnView";

type Setup = ReturnType<typeof scriptedPlatform> & { live: Live };

const outgoing = {
  text: "Hello",
  mode: "agent",
  model: null,
  think: null,
  allowSpending: false,
  delivery: "queue",
} as const;

async function setUp(): Promise<Setup> {
  const scripted = scriptedPlatform({ now: () => 1 });
  const live = createLive(scripted.platform, { onDataChanged: () => {} });
  await live.connect();
  return { ...scripted, live };
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(60_000);
}

async function ask({ live }: Setup, text = "Hello"): Promise<string> {
  const sent = live.send({ ...outgoing, sessionId: null, text });
  await vi.advanceTimersByTimeAsync(0);
  const sessionId = await sent;
  if (sessionId === null) throw new Error("the message did not go");
  return sessionId;
}

function views({ live }: Setup, sessionId: string): (TurnView | null)[] {
  const session = live.session(sessionId);
  return session.state().turnIds.map((turnId) => session.turn(turnId));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the live store", () => {
  it("shows a sent message once, from the first moment to its turn", async () => {
    const setup = await setUp();
    setup.hook.script([{ wait: 10 }, { say: "Hi." }]);
    const sent = setup.live.send({ ...outgoing, sessionId: null });
    expect(setup.live.unborn().pending).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(0);
    const sessionId = (await sent) ?? "";
    await settle();
    expect(setup.live.unborn().pending).toEqual([]);
    expect(setup.live.session(sessionId).state()).toMatchObject({ pending: [], runningTurnId: null });
    expect(views(setup, sessionId)).toMatchObject([{ userText: "Hello", outcome: { text: "Hi." } }]);
  });

  it("keeps a message that could not be sent, with its error, and sends it again", async () => {
    const setup = await setUp();
    setup.hook.fail("turn_send", "storageUnavailable");
    const sent = setup.live.send({ ...outgoing, sessionId: null });
    await vi.advanceTimersByTimeAsync(0);
    expect(await sent).toBeNull();
    const [failed] = setup.live.unborn().pending;
    expect(failed).toMatchObject({
      text: "Hello",
      state: { type: "failed", error: { code: "storageUnavailable" } },
    });
    setup.hook.script([{ say: "Now." }]);
    const again = setup.live.resend(null, failed?.localId ?? "");
    await vi.advanceTimersByTimeAsync(0);
    const sessionId = (await again) ?? "";
    await settle();
    expect(views(setup, sessionId)).toHaveLength(1);
  });

  it("queues while a turn runs, and the queue empties by itself", async () => {
    const setup = await setUp();
    setup.hook.script([{ wait: 500 }, { say: "One." }], [{ say: "Two." }]);
    const sessionId = await ask(setup);
    void setup.live.send({ ...outgoing, sessionId, text: "And then?" });
    await vi.advanceTimersByTimeAsync(10);
    expect(setup.live.session(sessionId).state().queue).toMatchObject([{ text: "And then?" }]);
    await settle();
    expect(setup.live.session(sessionId).state()).toMatchObject({ queue: [], pending: [] });
    expect(views(setup, sessionId).map((view) => view?.userText)).toEqual(["Hello", "And then?"]);
  });

  it("takes the message that has arrived out of the queue, and not one with the same words", async () => {
    const setup = await setUp();
    setup.hook.script([{ wait: 500 }, { say: "One." }], [{ wait: 500 }, { say: "Two." }]);
    const sessionId = await ask(setup);
    const file = (fileId: string) => ({ fileId, name: "a.png", mediaType: "image/png", sizeBytes: 1 });
    for (const fileId of ["first", "second"]) {
      void setup.live.send({ ...outgoing, sessionId, text: "Look", attachments: [file(fileId)] });
      await vi.advanceTimersByTimeAsync(1);
    }
    const queued = () => setup.live.session(sessionId).state().queue;
    void setup.live.sendQueuedNow(sessionId, queued()[1]?.queuedId ?? "");
    await vi.advanceTimersByTimeAsync(10);
    expect(queued().map(({ attachments }) => attachments[0]?.fileId)).toEqual(["first"]);
  });

  it("keeps what was written without a network together, and sends it in order", async () => {
    let online = false;
    const scripted = scriptedPlatform({ now: () => 1 });
    const live = createLive(scripted.platform, { onDataChanged: () => {}, canSend: () => online });
    await live.connect();
    for (const text of ["One?", "Two?"]) await live.send({ ...outgoing, sessionId: null, text });
    expect(live.waitingCount()).toBe(2);
    expect(scripted.hook.calls.filter((call) => call.command === "turn_send")).toEqual([]);
    online = true;
    scripted.hook.script([{ say: "First." }], [{ say: "Second." }]);
    const sent = live.sendWaiting();
    await settle();
    const born = (await sent) ?? "";
    expect(live.unborn().pending).toEqual([]);
    expect(live.waitingCount()).toBe(0);
    expect(views({ ...scripted, live }, born).map((view) => view?.userText)).toEqual(["One?", "Two?"]);
  });

  it("sets a new chat to what its first message was sent with, also when that waited for a network", async () => {
    let online = false;
    const scripted = scriptedPlatform({ now: () => 1 });
    const live = createLive(scripted.platform, { onDataChanged: () => {}, canSend: () => online });
    await live.connect();
    await live.send({ ...outgoing, sessionId: null, model: "home/llama3.3", think: "high" });
    online = true;
    const sent = live.sendWaiting();
    await settle();
    const choice = { model: "home/llama3.3", think: "high" };
    expect(live.session((await sent) ?? "").state().choice).toEqual(choice);
    expect(scripted.hook.calls.filter(({ command }) => command === "session_choose")).toMatchObject([
      { args: [{ sessionId: await sent, ...choice }] },
    ]);
  });

  it("takes a choice back that the core refuses", async () => {
    const setup = await setUp();
    const sessionId = setup.hook.addSession("Bills", [{ question: "a", answer: "b" }]);
    const session = setup.live.session(sessionId);
    await settle();
    await Promise.all([setup.live.choose(sessionId, { model: "home", think: "low" }), settle()]);
    setup.hook.fail("session_choose", "storageUnavailable");
    const refused = setup.live.choose(sessionId, { model: "work", think: null });
    expect(session.state().choice.model).toBe("work");
    await Promise.all([refused, settle()]);
    expect(session.state().choice).toEqual({ model: "home", think: "low" });
    session.reopen();
    await settle();
    expect(session.state().choice, "as the core has it").toEqual({ model: "home", think: "low" });
  });

  it("sends what an earlier version of the page left, without what it did not know", async () => {
    const { think, allowSpending, ...older } = outgoing;
    const message = { ...older, localId: "1", sentAt: 1, turnId: null, state: { type: "offline" } };
    localStorage.setItem("namma.outbox", JSON.stringify([{ sessionId: null, message }]));
    const setup = await setUp();
    const sent = setup.live.sendWaiting();
    await settle();
    expect(await sent).not.toBeNull();
    expect(setup.hook.calls.find(({ command }) => command === "turn_send")?.args).toEqual([
      { ...outgoing, attachments: [], sessionId: null },
    ]);
  });

  it("stops on demand and keeps what had arrived", async () => {
    const setup = await setUp();
    setup.hook.script([{ say: "A long answer ".repeat(50), perSecond: 20 }]);
    const sessionId = await ask(setup);
    await vi.advanceTimersByTimeAsync(1000);
    void setup.live.cancel(sessionId);
    expect(setup.live.session(sessionId).state().stopping).toBe(true);
    await settle();
    const [view] = views(setup, sessionId);
    expect(view?.outcome?.type).toBe("cancelled");
    expect(setup.live.session(sessionId).state().stopping).toBe(false);
  });

  it("refuses an answer to a question that changed, and shows the new one", async () => {
    const setup = await setUp();
    setup.hook.script([{ tool: "run_shell", input: { command: "ls" }, ask: {} }, { say: "Done." }]);
    const sessionId = await ask(setup);
    await settle();
    const step = views(setup, sessionId)[0]?.parts[0];
    const request = step?.kind === "step" ? step.approval?.request : undefined;
    if (!request) throw new Error("no question");
    setup.hook.tamper({ command: "ls /" });
    const decision = { type: "allow", scope: "once" } as const;
    const { approvalId, payloadHash } = request;
    const refused = setup.live.resolveApproval({ approvalId, payloadHash, decision }).catch((error) => error);
    await settle();
    expect(await refused).toMatchObject({ code: "approvalChanged" });
    const again = views(setup, sessionId)[0]?.parts[0];
    expect(again).toMatchObject({
      outcome: null,
      approval: { askedAgain: true, answer: { type: "waiting" } },
    });
  });

  it("resumes after the core was killed, without doubling or losing text", async () => {
    const whole = await plainRun();
    const setup = await setUp();
    setup.hook.script(richScript);
    const sessionId = await ask(setup);
    await vi.advanceTimersByTimeAsync(100);
    setup.hook.killCore();
    await vi.advanceTimersByTimeAsync(1000);
    setup.hook.resumeCore(true);
    setup.live.reopenAll();
    await settle();
    expect(views(setup, sessionId)).toEqual(whole);
  });
});

describe("open chats", () => {
  it("are let go when many others were opened and nobody looks", async () => {
    const setup = await setUp();
    const ids = Array.from({ length: 20 }, (_, n) =>
      setup.hook.addSession(`Chat ${n}`, [{ question: "a", answer: "b" }]),
    );
    const first = setup.live.session(ids[0] ?? "");
    first.onState(() => {});
    for (const id of ids) setup.live.session(id);
    await settle();
    const opened = setup.hook.calls.filter((call) => call.command === "session_open").length;
    expect(setup.live.session(ids[0] ?? ""), "someone looks at it").toBe(first);
    setup.live.session(ids[1] ?? "");
    await settle();
    expect(setup.hook.calls.filter((call) => call.command === "session_open")).toHaveLength(opened + 1);
  });
});

async function plainRun(): Promise<(TurnView | null)[]> {
  const setup = await setUp();
  setup.hook.script(richScript);
  const sessionId = await ask(setup);
  await settle();
  return views(setup, sessionId);
}

describe("a channel that is cut", () => {
  it.each([
    { how: "and the core still has the events", keep: 5000 },
    { how: "and the core no longer has them", keep: 2 },
  ])("at any event gives the same view $how", async ({ keep }) => {
    const whole = await plainRun();
    const events = 40;
    expect(whole[0]?.outcome?.type).toBe("answered");
    for (let cut = 0; cut <= events; cut++) {
      const setup = await setUp();
      setup.hook.keepEvents(keep);
      setup.hook.script(richScript);
      setup.hook.cutChannel(cut);
      const sessionId = await ask(setup);
      await vi.advanceTimersByTimeAsync(cut * 20);
      setup.hook.restoreChannel();
      await settle();
      expect(views(setup, sessionId), `cut at event ${cut}`).toEqual(whole);
    }
  });
});
