import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AppEvent, SendMessage, TurnEnvelope } from "@/protocol/bindings";
import { apiError } from "../apiError";
import { scriptedPlatform } from "./hook";
import { saveState } from "./state";

const message: SendMessage = {
  sessionId: null,
  text: "Hello",
  attachments: [],
  mode: "agent",
  model: null,
  think: null,
  allowSpending: false,
  delivery: "queue",
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function run<T>(work: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(0);
  return work;
}

function listen(setup: ReturnType<typeof scriptedPlatform>): TurnEnvelope[] {
  const heard: TurnEnvelope[] = [];
  const take = (batch: readonly AppEvent[]) => {
    for (const event of batch) if (event.type === "turn") heard.push(event.envelope);
  };
  void setup.platform.subscribe(take);
  return heard;
}

describe("the scripted core", () => {
  it("numbers the events of a session from 1 without a gap", async () => {
    const setup = scriptedPlatform();
    const heard = listen(setup);
    setup.hook.script([{ say: "One two three." }, { tool: "list_dir" }, { say: "Done." }]);
    await run(setup.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(5000);
    expect(heard.map((envelope) => envelope.seq)).toEqual(heard.map((_, index) => index + 1));
    expect(heard.at(-1)?.event).toMatchObject({
      type: "turnFinished",
      outcome: { type: "answered", text: "Done." },
    });
  });

  it("gives the events since a number, or says that they are gone", async () => {
    const setup = scriptedPlatform();
    setup.hook.script([{ say: "One two three four five six." }]);
    const { sessionId } = await run(setup.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(5000);
    const since = await run(setup.platform.turnEventsSince(sessionId, 2));
    expect(since.reopen).toBe(false);
    expect(since.events[0]?.seq).toBe(3);
    expect(await run(setup.platform.turnEventsSince(sessionId, 999))).toEqual({ events: [], reopen: true });
  });

  it("does not run what was not approved", async () => {
    const setup = scriptedPlatform();
    const heard = listen(setup);
    setup.hook.script([{ tool: "run_shell", input: { command: "ls" }, ask: {} }]);
    await run(setup.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(1000);
    const asked = heard.at(-1)?.event;
    if (asked?.type !== "approvalRequested") throw new Error("nothing was asked");
    const { approvalId } = asked.request;
    const decision = { type: "allow", scope: "once" } as const;
    const wrong = setup.platform
      .approvalResolve({ approvalId, payloadHash: "other", decision })
      .catch((error) => error);
    expect(await run(wrong)).toMatchObject({ code: "approvalChanged" });
    expect(heard.some(({ event }) => event.type === "toolCallFinished")).toBe(false);
  });

  it("goes on where it was after the page is reloaded, with the question still open", async () => {
    const first = scriptedPlatform({ storage: localStorage });
    first.hook.script([{ tool: "run_shell", ask: {} }, { say: "Done." }]);
    const { sessionId } = await run(first.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(1000);
    saveState(localStorage, first.hook.core.state());

    const second = scriptedPlatform({ storage: localStorage });
    second.hook.core.goOn();
    const [summary] = await run(second.platform.sessionList());
    expect(summary).toMatchObject({ sessionId, running: true, waiting: true });
  });

  it("keeps its connections in order, and the first one answers", async () => {
    const { platform } = scriptedPlatform();
    const work = {
      connection: "work",
      kind: "anthropic",
      baseUrl: "https://api.example.com/v1",
      model: "big",
      apiKey: "sk-1",
      keyEnv: null,
      keepKey: false,
      fallback: true,
    };
    await run(platform.providerConfigure(work));
    const names = async () => (await run(platform.connectionsList())).map(({ name }) => name);
    expect(await names()).toEqual(["ollama", "work"]);
    await run(platform.connectionsOrder(["work", "ollama"]));
    expect(await run(platform.providerStatus())).toMatchObject({ label: "api.example.com", model: "big" });
    await expect(run(platform.connectionsOrder(["work"]).catch((error) => error))).resolves.toMatchObject({
      code: "invalidInput",
    });
    await run(platform.connectionRemove("work"));
    expect(await names()).toEqual(["ollama"]);
    expect(JSON.stringify(await run(platform.connectionsList()))).not.toContain("sk-1");
  });

  it("sets chats that were set to a removed connection to nothing", async () => {
    const { platform } = scriptedPlatform();
    const { sessionId } = await run(platform.turnSend(message));
    await run(platform.sessionChoose({ sessionId, model: "ollama/llama3.3", think: null }));
    await run(platform.connectionRemove("ollama"));
    const view = await run(platform.sessionOpen({ sessionId, before: null, limit: 1 }));
    expect(view.chosenModel).toBeNull();
  });

  it("starts nothing that waits at a limit on spending", async () => {
    const { platform, hook } = scriptedPlatform();
    hook.script([{ wait: 50 }, { finish: { type: "limitReached", limit: "spending", text: "" } }]);
    const { sessionId } = await run(platform.turnSend(message));
    await run(platform.turnSend({ ...message, sessionId, text: "Later" }));
    await vi.advanceTimersByTimeAsync(1000);
    const view = await run(platform.sessionOpen({ sessionId, before: null, limit: 9 }));
    expect(view).toMatchObject({ turns: [{}], queue: [{ text: "Later" }] });
  });

  it("takes a test that works for a new start, and only tells of one that does not", async () => {
    const { platform, hook } = scriptedPlatform();
    const [first] = await run(platform.connectionsList());
    if (!first) throw new Error("nothing is set up");
    hook.setConnections([{ ...first, problem: apiError("noCredit", "ask"), restsUntil: 9 }]);
    const list = async () => (await run(platform.connectionsList()))[0];
    expect(await run(platform.providerStatus())).toMatchObject({ ready: true, problem: null });
    const wrongKey = { verdict: "wrongKey", message: "no", hint: null, firstTokenMs: null } as const;
    hook.setVerdict("ollama", wrongKey);
    expect(await run(platform.connectionTest("ollama"))).toEqual(wrongKey);
    expect(await list()).toMatchObject({ problem: { code: "noCredit" }, restsUntil: 9 });
    hook.setVerdict("ollama", { ...wrongKey, verdict: "works", firstTokenMs: 5 });
    await run(platform.connectionTest("ollama"));
    expect(await list()).toMatchObject({ problem: null, restsUntil: null });
  });

  it("knows a model of the catalogue also where another program has it, and uses it as a fallback later", async () => {
    const { platform, hook } = scriptedPlatform();
    const { installed } = hook.core.state().local;
    const fetched = installed.find(({ keeper }) => keeper === "ollama");
    if (!fetched) throw new Error("Ollama has no model");
    hook.setLocalModels({ installed: [{ ...fetched, name: "qwen3:4b" }] });
    const { offered } = await run(platform.localModels());
    expect(offered.filter(({ isInstalled }) => isInstalled).map(({ name }) => name)).toEqual(["qwen3-4b"]);
    await run(platform.localUse({ ...fetched, keeper: "lmStudio", name: "a" }));
    await run(platform.localUse({ ...fetched, keeper: "ollama", name: "b" }));
    expect(await run(platform.connectionsList())).toMatchObject([
      { name: "ollama", model: "b", fallback: false },
      { name: "lm-studio", model: "a", fallback: true },
    ]);
  });

  it("counts what turns use once, by day and model, and stops at a limit until it may go on", async () => {
    const setup = scriptedPlatform();
    const heard = listen(setup);
    const use = (inputTokens: number) => ({
      inputTokens,
      outputTokens: 1,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
    setup.hook.script([
      { usage: use(10), costMicros: 400_000 },
      { usage: use(30), costMicros: 600_000 },
    ]);
    await run(setup.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await run(setup.platform.usageByDay(31))).toMatchObject([
      { model: "qwen3:14b", turns: 1, usage: use(30), costMicros: 600_000 },
    ]);
    await run(setup.platform.settingsSet({ key: "spending.per_day", value: 0.5 }));
    await run(setup.platform.turnSend(message));
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard.at(-1)?.event).toMatchObject({ outcome: { type: "limitReached", limit: "spending" } });
    await run(setup.platform.turnSend({ ...message, allowSpending: true }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(heard.at(-1)?.event).toMatchObject({ outcome: { type: "answered" } });
  });

  it("gives a deleted chat back", async () => {
    const { platform, hook } = scriptedPlatform();
    const sessionId = hook.addSession("Bills", [{ question: "a", answer: "b" }]);
    await run(platform.sessionDelete(sessionId));
    expect(await run(platform.sessionList())).toEqual([]);
    await run(platform.sessionRestore(sessionId));
    expect(await run(platform.sessionList())).toHaveLength(1);
  });

  it("keeps one draft per chat", async () => {
    const { platform } = scriptedPlatform();
    const draft = (text: string) => ({ text, attachments: [] });
    await run(platform.draftSave(null, draft("new")));
    await run(platform.draftSave("ses_1", draft("old")));
    expect(await run(platform.draftGet(null))).toEqual(draft("new"));
    expect(await run(platform.draftGet("ses_1"))).toEqual(draft("old"));
    expect(await run(platform.draftGet("ses_2"))).toEqual(draft(""));
  });

  it("keeps the same file once, by its content", async () => {
    const { platform } = scriptedPlatform();
    const png = btoa("\x89PNG\r\n");
    const first = await run(platform.attachmentAdd({ name: "a.txt", base64: png }));
    const again = await run(platform.attachmentAdd({ name: "b.png", base64: png }));
    expect(again).toEqual({ ...first, name: "b.png" });
    expect(await run(platform.attachmentGet(first.fileId))).toEqual({ mediaType: "image/png", base64: png });
    const empty = platform.attachmentAdd({ name: "e", base64: "" });
    await run(expect(empty).rejects.toMatchObject({ code: "invalidInput" }));
  });

  it("plays an installation to its end, and what was stopped is not installed", async () => {
    const { platform } = scriptedPlatform({ firstRun: true });
    const heard: string[] = [];
    const wish = { model: "qwen3-4b", keeper: null, name: null, chatTemplate: null };
    const install = () => platform.localInstall(wish, ({ type }) => heard.push(type)).catch((error) => error);
    const stopped = install();
    await vi.advanceTimersByTimeAsync(500);
    await run(platform.localInstallStop("qwen3-4b"));
    expect(await run(stopped)).toMatchObject({ message: "installing qwen3-4b was stopped" });
    await vi.advanceTimersByTimeAsync(5000);
    expect([new Set(heard), (await run(platform.localModels())).installed]).toEqual([
      new Set(["starting", "downloading"]),
      [],
    ]);
    const done = install();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await done).toMatchObject({ name: "qwen3-4b", keeper: "managed", isOurs: true });
    expect(heard.slice(-2)).toEqual(["measuring", "measuring"]);
    const { installed, offered } = await run(platform.localModels());
    expect([installed.length, offered.find(({ name }) => name === "qwen3-4b")?.isInstalled]).toEqual([
      1,
      true,
    ]);
  });
});
