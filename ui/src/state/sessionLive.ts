import { toApiError } from "@/platform/apiError";
import type { Platform } from "@/platform/platform";
import type {
  Attachment,
  SendReceipt,
  SessionId,
  SessionView,
  TurnEnvelope,
  TurnId,
} from "@/protocol/bindings";
import { reduceTurn, replayTurn } from "./reduceTurn";
import { type Choice, emptySession, type PendingMessage, type SessionState } from "./sessionState";
import { createSignals } from "./signals";
import { emptyTurn, type TurnView } from "./turnView";

const pageSize = 40;
const maxAttempts = 5;

export type SessionLive = ReturnType<typeof createSessionLive>;

/**
 * One open session: its turns, kept right by sequence numbers.
 *
 * Events apply only in order. After a gap the missing ones are asked for; when the core no longer
 * has them the session is opened again. So no token is doubled and none is lost.
 */
export function createSessionLive(platform: Platform, sessionId: SessionId) {
  let state: SessionState = emptySession;
  const turns = new Map<TurnId, TurnView>();
  /** The last applied number; `null` until the session is open. */
  let lastSeq: number | null = null;
  /** Came while something was being asked for. */
  let early: TurnEnvelope[] = [];
  let syncing: Promise<void> | null = null;
  /** Everything known is to be thrown away: opening again is the only way. */
  let stale = true;
  /** Grows when the person chooses and when that is settled: what was asked for before tells of an older choice. */
  let choices = 0;

  const signals = createSignals();

  function set(change: Partial<SessionState>): void {
    state = { ...state, ...change };
    signals.touch("state");
  }

  function setTurn(turnId: TurnId, view: TurnView): void {
    turns.set(turnId, view);
    signals.touch(turnId);
  }

  /** Takes a batch from the channel. */
  function receive(envelopes: readonly TurnEnvelope[]): void {
    if (lastSeq === null || syncing) {
      early.push(...envelopes);
      return;
    }
    const rest = applyInOrder(envelopes);
    if (rest.length > 0) {
      early.push(...rest);
      void sync();
    }
    signals.flush();
  }

  /** Applies what follows on, and gives back the rest from the first gap on. */
  function applyInOrder(envelopes: readonly TurnEnvelope[]): readonly TurnEnvelope[] {
    for (const [index, envelope] of envelopes.entries()) {
      const last = lastSeq ?? 0;
      const startsUnknown = envelope.event.type === "turnStarted" && !turns.has(envelope.turnId);
      if (envelope.seq <= last && startsUnknown) {
        // Numbers begin anew when the core does: a new turn that lies behind us means just that.
        stale = true;
        return envelopes.slice(index);
      }
      if (envelope.seq <= last) continue;
      if (envelope.seq > last + 1) return envelopes.slice(index);
      apply(envelope);
      lastSeq = envelope.seq;
    }
    return [];
  }

  function apply({ turnId, event }: TurnEnvelope): void {
    const view = reduceTurn(turns.get(turnId) ?? emptyTurn(turnId), event);
    setTurn(turnId, view);
    if (!state.turnIds.includes(turnId)) set({ turnIds: [...state.turnIds, turnId] });
    if (event.type === "turnStarted") {
      set({ runningTurnId: turnId, stopping: false });
      confirm(event.userText, event.attachments);
      dropArrived();
    } else if (event.type === "userMessageAdded") {
      confirm(event.text, event.attachments);
    } else if (event.type === "turnFinished" && state.runningTurnId === turnId) {
      set({ runningTurnId: null, stopping: false });
    }
  }

  /** A message of the person has arrived in the conversation: it no longer waits anywhere. */
  function confirm(text: string, attachments: readonly Attachment[]): void {
    const files = fileIds(attachments);
    const isIt = (message: { readonly text: string; readonly attachments: readonly Attachment[] }) =>
      message.text === text && fileIds(message.attachments) === files;
    const queued = state.queue.findIndex(isIt);
    if (queued >= 0) {
      set({ queue: state.queue.filter((_, index) => index !== queued) });
      return;
    }
    const sent = state.pending.findIndex((message) => isIt(message) && message.state.type === "sending");
    if (sent >= 0) set({ pending: state.pending.filter((_, index) => index !== sent) });
  }

  /** Pending messages whose turn is in the conversation. */
  function dropArrived(): void {
    const left = state.pending.filter((message) => message.turnId === null || !turns.has(message.turnId));
    if (left.length < state.pending.length) set({ pending: left });
  }

  /** The core has taken a message: it is shown where the core put it. */
  function settle(localId: string, receipt: SendReceipt): void {
    const message = state.pending.find((pending) => pending.localId === localId);
    if (!message) return;
    if (receipt.queuedId !== null) {
      set({
        pending: state.pending.filter((pending) => pending.localId !== localId),
        queue: [
          ...state.queue,
          { queuedId: receipt.queuedId, text: message.text, attachments: [...message.attachments] },
        ],
      });
    } else {
      const taken = { ...message, turnId: receipt.turnId };
      set({ pending: state.pending.map((pending) => (pending.localId === localId ? taken : pending)) });
      dropArrived();
    }
    signals.flush();
  }

  /** Fetches what is missing, until nothing is. Only one runs at a time. */
  function sync(): Promise<void> {
    syncing ??= catchUp().finally(() => {
      syncing = null;
      signals.flush();
    });
    return syncing;
  }

  async function catchUp(): Promise<void> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        if (stale || lastSeq === null) await reopen();
        else await fetchMissing(lastSeq);
      } catch (thrown) {
        const error = toApiError(thrown);
        if (state.status !== "ready") {
          set({ status: error.code === "notFound" ? "missing" : "failed", error });
        }
        // What is shown stays; the next event or the return of the core asks again.
        return;
      }
      const waiting = early;
      early = [];
      early = [...applyInOrder(waiting), ...early];
      if (early.length === 0 && !stale) return;
      signals.flush();
    }
  }

  async function reopen(): Promise<void> {
    const limit = Math.max(pageSize, turns.size);
    const choicesBefore = choices;
    const view = await platform.sessionOpen({ sessionId, before: null, limit });
    stale = false;
    replaceWith(view);
    if (choices === choicesBefore) set({ choice: { model: view.chosenModel, think: view.chosenThink } });
  }

  async function fetchMissing(since: number): Promise<void> {
    const { events, reopen: gone } = await platform.turnEventsSince(sessionId, since);
    const rest = applyInOrder(events);
    const gapRemains = early.some((envelope) => envelope.seq > (lastSeq ?? 0) + 1) && events.length === 0;
    if (gone || rest.length > 0 || gapRemains) stale = true;
  }

  function replaceWith(view: SessionView): void {
    const known = new Set(view.turns.map((turn) => turn.turnId));
    for (const turnId of turns.keys()) {
      if (!known.has(turnId)) turns.delete(turnId);
    }
    for (const record of view.turns) setTurn(record.turnId, replayTurn(record.turnId, record.events));
    lastSeq = view.lastSeq;
    const running = view.turns.findLast((turn) => turns.get(turn.turnId)?.outcome === null);
    set({
      status: "ready",
      error: null,
      summary: view.session,
      turnIds: view.turns.map((turn) => turn.turnId),
      runningTurnId: running?.turnId ?? null,
      stopping: running ? state.stopping : false,
      hasOlder: view.hasOlder,
      queue: view.queue,
    });
    dropArrived();
  }

  /** Sets the chat to a model and a level of thinking; rejects, and takes it back, when the core refuses. */
  async function choose(choice: Choice): Promise<void> {
    const before = state.choice;
    choices += 1;
    const mine = choices;
    const end = (settled: Choice) => {
      if (mine !== choices) return;
      choices += 1;
      set({ choice: settled });
      signals.flush();
    };
    set({ choice });
    signals.flush();
    try {
      await platform.sessionChoose({ sessionId, ...choice });
    } catch (thrown) {
      end(before);
      throw thrown;
    }
    end(choice);
  }

  async function loadOlder(): Promise<void> {
    const first = state.turnIds[0];
    if (!first || !state.hasOlder || state.loadingOlder) return;
    set({ loadingOlder: true });
    signals.flush();
    try {
      const view = await platform.sessionOpen({ sessionId, before: first, limit: pageSize });
      if (state.turnIds[0] !== first) return;
      for (const record of view.turns) setTurn(record.turnId, replayTurn(record.turnId, record.events));
      set({
        turnIds: [...view.turns.map((turn) => turn.turnId), ...state.turnIds],
        hasOlder: view.hasOlder,
      });
    } finally {
      set({ loadingOlder: false });
      signals.flush();
    }
  }

  return {
    sessionId,
    receive,
    settle,
    loadOlder,
    choose,
    /** Asks for what came since the last applied event. */
    resync: () => sync(),
    /** Throws away what is known and opens the session again. */
    reopen: () => {
      stale = true;
      return sync();
    },
    /** Nobody looks at it and nothing happens in it: it can be opened again when it is wanted. */
    isIdle: () => !signals.isHeard() && state.runningTurnId === null && state.pending.length === 0,
    state: () => state,
    turn: (turnId: TurnId) => turns.get(turnId) ?? null,
    /** All that is loaded, oldest first. */
    turns: () => state.turnIds.flatMap((turnId) => turns.get(turnId) ?? []),
    change: (change: (state: SessionState) => Partial<SessionState>) => {
      set(change(state));
      signals.flush();
    },
    addPending: (message: PendingMessage) => {
      set({ pending: [...state.pending, message] });
      signals.flush();
    },
    onState: (listener: () => void) => signals.on("state", listener),
    onTurn: (turnId: TurnId, listener: () => void) => signals.on(turnId, listener),
  };
}

function fileIds(attachments: readonly Attachment[]): string {
  return attachments.map(({ fileId }) => fileId).join("\n");
}
