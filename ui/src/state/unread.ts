import { create } from "zustand";
import type { SessionId, TurnEnvelope } from "@/protocol/bindings";

type Unread = { readonly sessions: ReadonlySet<SessionId> };

const useUnread = create<Unread>()(() => ({ sessions: new Set() }));

/** An answer that came while another chat was on screen has not been read. */
export function noteUnread({ sessionId, event }: TurnEnvelope, shown: SessionId | null): void {
  if (event.type !== "turnFinished" || sessionId === shown) return;
  useUnread.setState(({ sessions }) => ({ sessions: new Set([...sessions, sessionId]) }));
}

/** The chat is on screen. */
export function noteRead(sessionId: SessionId): void {
  if (!useUnread.getState().sessions.has(sessionId)) return;
  useUnread.setState(({ sessions }) => ({
    sessions: new Set([...sessions].filter((id) => id !== sessionId)),
  }));
}

export function useIsUnread(sessionId: SessionId): boolean {
  return useUnread(({ sessions }) => sessions.has(sessionId));
}
