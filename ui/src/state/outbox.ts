import type { SessionId } from "@/protocol/bindings";
import type { PendingMessage } from "./sessionState";

const key = "namma.outbox";

type Kept = { readonly sessionId: SessionId | null; readonly message: PendingMessage };

/** Messages that did not reach the core, kept over a reload. */
export function createOutbox() {
  let kept: readonly Kept[] = load();
  const listeners = new Set<() => void>();

  function save(next: readonly Kept[]): void {
    if (next.length === 0 && kept.length === 0) return;
    kept = next;
    try {
      if (kept.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // No storage: they live as long as the page does.
    }
    for (const listener of listeners) listener();
  }

  return {
    /** What waits or failed in this chat; `null` is the chat that does not exist yet. */
    of: (sessionId: SessionId | null): readonly PendingMessage[] =>
      kept.filter((item) => item.sessionId === sessionId).map((item) => item.message),
    /** Takes the pending messages of a chat; those on their way are the core's business. */
    keep(sessionId: SessionId | null, pending: readonly PendingMessage[]): void {
      const mine = pending
        .filter((message) => message.state.type !== "sending")
        .map((message) => ({ sessionId, message }));
      save([...kept.filter((item) => item.sessionId !== sessionId), ...mine]);
    },
    /** What goes by itself once the network is back, by chat. */
    waiting(): ReadonlyMap<SessionId | null, readonly PendingMessage[]> {
      const groups = new Map<SessionId | null, PendingMessage[]>();
      for (const { sessionId, message } of offline(kept)) {
        groups.set(sessionId, [...(groups.get(sessionId) ?? []), message]);
      }
      return groups;
    },
    count: () => offline(kept).length,
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function offline(kept: readonly Kept[]): Kept[] {
  return kept.filter((item) => item.message.state.type === "offline");
}

function load(): readonly Kept[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter(isKept).map(completed) : [];
  } catch {
    return [];
  }
}

function isKept(item: unknown): item is Kept {
  return typeof item === "object" && item !== null && "sessionId" in item && "message" in item;
}

/** An earlier version kept less. */
function completed({ sessionId, message }: Kept): Kept {
  const { attachments = [], think = null }: Partial<PendingMessage> = message;
  const allowSpending = message.allowSpending === true;
  return { sessionId, message: { ...message, attachments, think, allowSpending } };
}
