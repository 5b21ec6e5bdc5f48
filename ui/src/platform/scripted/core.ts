import type {
  ApiError,
  AppEvent,
  ConnectionView,
  Mode,
  Tag,
  TurnEvent,
  TurnOutcome,
} from "@/protocol/bindings";
import type { Json } from "@/protocol/json";
import { apiError } from "../apiError";
import type { Connection } from "../platform";
import { demoScript } from "./demo";
import type { RunningInstall } from "./localModels";
import { loose, said } from "./looseEnds";
import { compile, hashOf, type Instruction, type Script } from "./script";
import { limitScript, noteUsage } from "./spending";
import { type CoreSession, type CoreState, freshState, loadState, type Said, saveState } from "./state";

export type CoreOptions = {
  readonly storage?: Storage | null;
  readonly now?: () => number;
  readonly initial?: Partial<CoreState>;
};

export type ScriptedCore = ReturnType<typeof createCore>;

/** The fake core: runs scripted turns by the rules of the contract. */
export function createCore({ storage = null, now = Date.now, initial }: CoreOptions) {
  let state: CoreState = loadState(storage) ?? { ...freshState(), ...initial };
  const scripts: Script[] = [];
  const failures = new Map<string, ApiError[]>();
  /** Commands whose answers are kept back: when they may go, and how that is said. */
  const held = new Map<string, { free: Promise<void>; release: () => void }>();
  /** The installations that run, by what was asked for. */
  const installs = new Map<string, RunningInstall>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const channels = new Set<(batch: readonly AppEvent[]) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  let connection: Connection = "connected";
  let outgoing: AppEvent[] = [];
  /** Events from this place of the channel on are lost; `null` loses none. */
  let cutAfter: number | null = null;
  let keepEvents = 5000;

  function freshId(prefix: string): string {
    return `${prefix}_${state.nextId++}`;
  }

  function session(sessionId: string): CoreSession {
    const found = state.sessions.find((item) => item.sessionId === sessionId && !item.deleted);
    if (!found) throw apiError("notFound", `open the chat ${sessionId}`);
    return found;
  }

  /** Every command passes here first. */
  function enter(command: string): void {
    if (connection !== "connected") throw apiError("unreachable", "reach the assistant");
    const failure = failures.get(command)?.shift();
    if (failure) throw failure;
  }

  function post(event: AppEvent): void {
    if (outgoing.length === 0) queueMicrotask(deliver);
    outgoing.push(event);
  }

  function deliver(): void {
    const batch = outgoing;
    outgoing = [];
    const passed = cutAfter === null ? batch : batch.slice(0, Math.max(0, cutAfter));
    if (cutAfter !== null) cutAfter -= batch.length;
    if (passed.length > 0) for (const channel of channels) channel(passed);
  }

  function changed(...tags: Tag[]): void {
    post({ type: "dataChanged", tags });
  }

  function emit(target: CoreSession, turnId: string, event: TurnEvent): void {
    const turn = target.turns.find((record) => record.turnId === turnId);
    if (turn) turn.events.push(event);
    else target.turns.push({ turnId, events: [event] });
    target.seq += 1;
    const envelope = { sessionId: target.sessionId, turnId, seq: target.seq, event };
    target.log.push(envelope);
    if (target.log.length > keepEvents) target.log = target.log.slice(-keepEvents);
    target.updatedAt = now();
    post({ type: "turn", envelope });
  }

  function whyNot(): ApiError {
    return state.provider.problem ?? apiError("notConfigured", "find a model to ask");
  }

  function start(target: CoreSession, asked: Said, mode: Mode, model: string | null): string {
    const turnId = freshId("turn");
    const script = state.provider.ready
      ? (scripts.shift() ?? demoScript(asked.text, mode))
      : [{ fail: whyNot() }];
    const wanted = model ?? target.chosenModel ?? state.provider.model;
    const scope = {
      sessionId: target.sessionId,
      userText: asked.text,
      attachments: asked.attachments,
      mode,
      model: modelIn(wanted, state.connections),
      id: freshId,
      now,
    };
    target.running = { turnId, left: [...compile(script, scope)] };
    changed("sessions");
    advance(target);
    return turnId;
  }

  /** Does what can be done now, then waits for time or for the person. */
  function advance(target: CoreSession): void {
    for (;;) {
      const running = target.running;
      const next = running?.left[0];
      if (!running || !next || connection !== "connected") return;
      if (next.do === "ask") {
        if (!asked(target, next))
          emit(target, running.turnId, { type: "approvalRequested", request: next.request });
        return;
      }
      running.left.shift();
      if (next.do === "wait") {
        timers.set(
          target.sessionId,
          setTimeout(() => advance(target), next.ms),
        );
        return;
      }
      emit(target, running.turnId, next.event);
      if (next.event.type === "usageUpdated") noteUsage(state, target, next.event, now());
      if (next.event.type === "turnFinished") finished(target, isAtSpendingLimit(next.event.outcome));
    }
  }

  function asked(target: CoreSession, { request }: Extract<Instruction, { do: "ask" }>): boolean {
    return target.turns.some((turn) =>
      turn.events.some(
        (event) =>
          event.type === "approvalRequested" &&
          event.request.approvalId === request.approvalId &&
          event.request.payloadHash === request.payloadHash,
      ),
    );
  }

  /** After Stop, and at a limit on spending, nothing starts by itself; what waits is shown and can be sent. */
  function finished(target: CoreSession, stopped = false): void {
    target.running = null;
    changed("sessions");
    const next = stopped ? undefined : target.queue.shift();
    if (next) start(target, next, next.mode, next.model);
  }

  /** Closes the books of the running turn: every call, question and text gets its end. */
  function end(target: CoreSession, type: "cancelled" | "interrupted"): void {
    const { running } = target;
    if (!running) return;
    clearTimeout(timers.get(target.sessionId));
    const record = target.turns.find((turn) => turn.turnId === running.turnId);
    for (const event of loose(record?.events ?? [])) emit(target, running.turnId, event);
    const text = said(record?.events ?? []);
    emit(target, running.turnId, { type: "turnFinished", outcome: { type, text }, finishedAt: now() });
    finished(target, true);
  }

  function pendingAsk(approvalId: string) {
    for (const target of state.sessions) {
      const next = target.running?.left[0];
      if (next?.do === "ask" && next.request.approvalId === approvalId) return { target, ask: next };
    }
    throw apiError("notFound", "answer that question: it no longer stands");
  }

  /** Changes what the waiting call would do, behind the back of the interface. */
  function tamper(input: Json): void {
    for (const target of state.sessions) {
      const next = target.running?.left[0];
      if (next?.do !== "ask" || !target.running) continue;
      const request = {
        ...next.request,
        approvalId: freshId("apr"),
        input,
        payloadHash: hashOf(next.request.tool, input),
      };
      tampered.set(next.request.approvalId, { ...next, request });
    }
  }
  const tampered = new Map<string, Extract<Instruction, { do: "ask" }>>();

  function setConnection(next: Connection): void {
    connection = next;
    for (const listener of connectionListeners) listener(next);
  }

  return {
    state: () => state,
    installs,
    session,
    enter,
    post,
    changed,
    start,
    advance,
    end,
    emit,
    freshId,
    now,
    pendingAsk,
    tamper,
    hold(command: string): void {
      let release = () => {};
      const free = new Promise<void>((resolve) => {
        release = resolve;
      });
      held.set(command, { free, release });
    },
    release(command: string): void {
      held.get(command)?.release();
      held.delete(command);
    },
    held: (command: string) => held.get(command)?.free ?? null,
    takeTampered(approvalId: string) {
      const found = tampered.get(approvalId);
      tampered.delete(approvalId);
      return found ?? null;
    },
    subscribe(onBatch: (batch: readonly AppEvent[]) => void): () => void {
      channels.add(onBatch);
      return () => channels.delete(onBatch);
    },
    onConnection(listener: (connection: Connection) => void): () => void {
      connectionListeners.add(listener);
      listener(connection);
      return () => connectionListeners.delete(listener);
    },
    script: (script: Script) => scripts.push(script),
    /** The next turn finds a limit on spending reached. */
    stopAtLimit: () => scripts.unshift(limitScript),
    fail(command: string, error: ApiError): void {
      failures.set(command, [...(failures.get(command) ?? []), error]);
    },
    /** Loses every event after the next `count` ones. */
    cutChannel(count: number): void {
      cutAfter = count;
    },
    /** The channel works again, and says that something was lost. */
    restoreChannel(): void {
      cutAfter = null;
      post({ type: "lagged" });
    },
    keepEvents(count: number): void {
      keepEvents = count;
    },
    kill(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      setConnection("restarting");
    },
    /** Comes back as a new process: numbers begin anew, turns go on or are interrupted. */
    resume(goOn: boolean): void {
      for (const target of state.sessions) {
        target.seq = 0;
        target.log = [];
      }
      setConnection("connected");
      for (const target of state.sessions) {
        if (goOn) advance(target);
        else end(target, "interrupted");
      }
    },
    /** After a reload of the page: what ran goes on. */
    goOn(): void {
      for (const target of state.sessions) advance(target);
    },
    replaceState(next: CoreState): void {
      state = next;
    },
    save: () => saveState(storage, state),
  };
}

function isAtSpendingLimit(outcome: TurnOutcome): boolean {
  return outcome.type === "limitReached" && outcome.limit === "spending";
}

/** The name of the model in `connection/model`, a connection or a model. */
function modelIn(chosen: string, connections: readonly ConnectionView[]): string {
  const found = connections.find(({ name }) => chosen === name || chosen.startsWith(`${name}/`));
  if (!found) return chosen;
  return chosen === found.name ? found.model : chosen.slice(found.name.length + 1);
}
