import { toApiError } from "@/platform/apiError";
import type { Platform } from "@/platform/platform";
import type {
  ApiError,
  AppEvent,
  QueuedId,
  ResolveApproval,
  SessionId,
  Tag,
  TurnEnvelope,
} from "@/protocol/bindings";
import { createOutbox } from "./outbox";
import { createSessionLive, type SessionLive } from "./sessionLive";
import {
  type Choice,
  newSession,
  type Outgoing,
  type PendingMessage,
  type SessionState,
} from "./sessionState";
import { createSignals } from "./signals";

/** How many chats are kept open. */
const mostOpen = 12;

export type Live = ReturnType<typeof createLive>;

export type LiveOptions = {
  /** Cached data under these tags is out of date. */
  readonly onDataChanged: (tags: readonly Tag[]) => void;
  /** Each event of any session, for announcements and lists. */
  readonly onTurnEvent?: (envelope: TurnEnvelope) => void;
  /** Something the person asked for was refused, and no view shows why. */
  readonly onProblem?: (error: ApiError) => void;
  /** The person wants to quit while these chats are being answered. */
  readonly onQuitAsked?: (running: readonly string[]) => void;
  /** Whether a message can leave this chat now, for that model if it names one: no network and a remote model means no. */
  readonly canSend?: (sessionId: SessionId | null, model: string | null) => boolean;
};

/** All open sessions, and the one channel that feeds them. */
export function createLive(platform: Platform, options: LiveOptions) {
  const sessions = new Map<SessionId, SessionLive>();
  const outbox = createOutbox();
  const signals = createSignals();
  let unborn: SessionState = { ...newSession, pending: outbox.of(null) };

  function session(sessionId: SessionId): SessionLive {
    const known = sessions.get(sessionId);
    if (known) return known;
    forgetIdle();
    const live = createSessionLive(platform, sessionId);
    sessions.set(sessionId, live);
    for (const message of outbox.of(sessionId)) live.addPending(message);
    void live.resync();
    return live;
  }

  /** Chats that were left keep their turns for a while, so that going back is instant; not for ever. */
  function forgetIdle(): void {
    for (const [sessionId, live] of sessions) {
      if (sessions.size < mostOpen) return;
      if (live.isIdle()) sessions.delete(sessionId);
    }
  }

  function receive(batch: readonly AppEvent[]): void {
    const bySession = new Map<SessionId, TurnEnvelope[]>();
    const tags = new Set<Tag>();
    for (const event of batch) {
      switch (event.type) {
        case "turn": {
          const { sessionId } = event.envelope;
          bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), event.envelope]);
          if (changesTheList(event.envelope)) tags.add("sessions");
          break;
        }
        case "dataChanged":
          for (const tag of event.tags) tags.add(tag);
          break;
        case "lagged":
          for (const live of sessions.values()) void live.resync();
          tags.add("sessions");
          break;
        case "quitAsked":
          options.onQuitAsked?.(event.running);
          break;
      }
    }
    for (const [sessionId, envelopes] of bySession) sessions.get(sessionId)?.receive(envelopes);
    if (tags.size > 0) options.onDataChanged([...tags]);
    for (const envelopes of bySession.values()) {
      for (const envelope of envelopes) options.onTurnEvent?.(envelope);
    }
  }

  function pendingOf(sessionId: SessionId | null): readonly PendingMessage[] {
    return sessionId === null ? unborn.pending : session(sessionId).state().pending;
  }

  function setPending(sessionId: SessionId | null, pending: readonly PendingMessage[]): void {
    if (sessionId === null) {
      unborn = { ...unborn, pending };
      signals.touch("unborn");
      signals.flush();
    } else {
      session(sessionId).change(() => ({ pending }));
    }
    outbox.keep(sessionId, pending);
  }

  function update(sessionId: SessionId | null, message: PendingMessage): void {
    const others = pendingOf(sessionId);
    const known = others.some((other) => other.localId === message.localId);
    setPending(
      sessionId,
      known
        ? others.map((other) => (other.localId === message.localId ? message : other))
        : [...others, message],
    );
  }

  /** Shows a message at once and gives it to the core. Resolves with its session, or `null` if it did not go. */
  async function send(outgoing: Outgoing): Promise<SessionId | null> {
    const { sessionId, ...rest } = outgoing;
    const message: PendingMessage = {
      attachments: [],
      ...rest,
      localId: crypto.randomUUID(),
      sentAt: Date.now(),
      turnId: null,
      state: { type: "sending" },
    };
    return deliver(sessionId, message);
  }

  async function deliver(
    sessionId: SessionId | null,
    message: PendingMessage,
    anyway = false,
  ): Promise<SessionId | null> {
    if (!anyway && options.canSend?.(sessionId, message.model) === false) {
      update(sessionId, { ...message, state: { type: "offline" } });
      return null;
    }
    update(sessionId, { ...message, state: { type: "sending" } });
    const { text, mode, model, think, allowSpending, delivery, localId } = message;
    const attachments = [...message.attachments];
    try {
      const asked = { sessionId, text, attachments, mode, model, think, allowSpending, delivery };
      const receipt = await platform.turnSend(asked);
      if (sessionId === null) {
        setPending(
          null,
          unborn.pending.filter((other) => other.localId !== localId),
        );
        session(receipt.sessionId).addPending({ ...message, state: { type: "sending" } });
        // What was chosen for the first message holds for the chat.
        if (model !== null || think !== null) void choose(receipt.sessionId, { model, think });
      }
      session(receipt.sessionId).settle(localId, receipt);
      outbox.keep(sessionId, pendingOf(sessionId));
      return receipt.sessionId;
    } catch (thrown) {
      update(sessionId, { ...message, state: { type: "failed", error: toApiError(thrown) } });
      return null;
    }
  }

  /** Takes a message back that did not go, and gives it. */
  function discardPending(sessionId: SessionId | null, localId: string): PendingMessage | null {
    const message = pendingOf(sessionId).find((other) => other.localId === localId);
    setPending(
      sessionId,
      pendingOf(sessionId).filter((other) => other.localId !== localId),
    );
    return message ?? null;
  }

  /** Tries once more, also when the system says that there is no network. */
  async function resend(sessionId: SessionId | null, localId: string): Promise<SessionId | null> {
    const message = pendingOf(sessionId).find((other) => other.localId === localId);
    return message ? deliver(sessionId, message, true) : null;
  }

  /** The network is back: what waited goes, in order. Resolves with the chat that was born of it, if one was. */
  async function sendWaiting(): Promise<SessionId | null> {
    let born: SessionId | null = null;
    for (const [sessionId, messages] of outbox.waiting()) {
      for (const message of messages) {
        if (sessionId !== null) await deliver(sessionId, message);
        else if (born === null) born = await deliver(null, message);
        else {
          // What was written after it in the same new chat follows it there.
          discardPending(null, message.localId);
          await deliver(born, message);
        }
      }
    }
    return born;
  }

  /** Sets a chat to a model and a level of thinking; takes it back when the core refuses. */
  async function choose(sessionId: SessionId, choice: Choice): Promise<void> {
    await tellProblem(session(sessionId).choose(choice));
  }

  async function cancel(sessionId: SessionId): Promise<void> {
    const live = session(sessionId);
    if (live.state().stopping) return;
    live.change(() => ({ stopping: true }));
    try {
      await platform.turnCancel(sessionId);
    } catch (thrown) {
      live.change(() => ({ stopping: false }));
      options.onProblem?.(toApiError(thrown));
    }
  }

  /** Asks the last question again. */
  async function retry(sessionId: SessionId): Promise<void> {
    await tellProblem(platform.turnRetry(sessionId));
  }

  /** Whether it could be taken out. */
  async function removeQueued(sessionId: SessionId, queuedId: QueuedId): Promise<boolean> {
    const removed = await tellProblem(platform.queueRemove(sessionId, queuedId));
    if (removed) dropQueued(sessionId, queuedId);
    return removed;
  }

  /** Gives a waiting message to the running turn, or starts one with it. */
  async function sendQueuedNow(sessionId: SessionId, queuedId: QueuedId): Promise<void> {
    if (await tellProblem(platform.queueSendNow(sessionId, queuedId))) dropQueued(sessionId, queuedId);
  }

  function dropQueued(sessionId: SessionId, queuedId: QueuedId): void {
    session(sessionId).change(({ queue }) => ({ queue: queue.filter((item) => item.queuedId !== queuedId) }));
  }

  /** Whether it went well; if not, the person is told. */
  async function tellProblem(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (thrown) {
      options.onProblem?.(toApiError(thrown));
      return false;
    }
  }

  /** Rejects with `approvalChanged` when what would run is no longer what was shown. */
  async function resolveApproval(request: ResolveApproval): Promise<void> {
    try {
      await platform.approvalResolve(request);
    } catch (thrown) {
      const error = toApiError(thrown);
      // What is on screen is not what stands: look again.
      if (error.code === "approvalChanged" || error.code === "notFound") reopenAll();
      throw error;
    }
  }

  /** Numbers may have begun anew, so every session is opened again. */
  function reopenAll(): void {
    for (const live of sessions.values()) void live.reopen();
  }

  return {
    session,
    send,
    resend,
    discardPending,
    sendWaiting,
    choose,
    cancel,
    retry,
    removeQueued,
    sendQueuedNow,
    resolveApproval,
    waitingCount: () => outbox.count(),
    onWaiting: (listener: () => void) => outbox.onChange(listener),
    unborn: () => unborn,
    onUnborn: (listener: () => void) => signals.on("unborn", listener),
    /** Opens the channel, and asks anew for everything that is on screen. */
    async connect(): Promise<() => void> {
      const stop = await platform.subscribe(receive);
      for (const live of sessions.values()) void live.resync();
      return stop;
    },
    /** The core came back. */
    reopenAll,
    forget(sessionId: SessionId): void {
      sessions.delete(sessionId);
    },
  };
}

/** Whether the sidebar must look again. */
function changesTheList({ event }: TurnEnvelope): boolean {
  switch (event.type) {
    case "turnStarted":
    case "turnFinished":
    case "approvalRequested":
    case "approvalResolved":
    case "approvalWithdrawn":
      return true;
    default:
      return false;
  }
}
