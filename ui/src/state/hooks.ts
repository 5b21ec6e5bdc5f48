import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import type { SessionId, TurnId } from "@/protocol/bindings";
import type { Live } from "./live";
import type { SessionState } from "./sessionState";
import { questionKey, type TurnView } from "./turnView";

const LiveContext = createContext<Live | null>(null);

export const LiveProvider = LiveContext.Provider;

/** The live store. Its functions are stable: `send`, `cancel`, `retry`, `resolveApproval`, … */
export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error("useLive is called outside of LiveProvider");
  return live;
}

/** What is known of a session; opens it. `null` is the chat that does not exist yet. */
export function useSession(sessionId: SessionId | null): SessionState {
  const live = useLive();
  const subscribe = useCallback(
    (listener: () => void) =>
      sessionId === null ? live.onUnborn(listener) : live.session(sessionId).onState(listener),
    [live, sessionId],
  );
  return useSyncExternalStore(subscribe, () =>
    sessionId === null ? live.unborn() : live.session(sessionId).state(),
  );
}

/** One turn; renders again only when that turn changes. */
export function useTurn(sessionId: SessionId, turnId: TurnId): TurnView | null {
  const live = useLive();
  const subscribe = useCallback(
    (listener: () => void) => live.session(sessionId).onTurn(turnId, listener),
    [live, sessionId, turnId],
  );
  return useSyncExternalStore(subscribe, () => live.session(sessionId).turn(turnId));
}

/** The key of a turn's question; renders again only when it changes, not with each word of the answer. */
export function useQuestion(sessionId: SessionId, turnId: TurnId | null): string | null {
  const live = useLive();
  const subscribe = useCallback(
    (listener: () => void) => (turnId === null ? () => {} : live.session(sessionId).onTurn(turnId, listener)),
    [live, sessionId, turnId],
  );
  return useSyncExternalStore(subscribe, () => {
    const view = turnId === null ? null : live.session(sessionId).turn(turnId);
    return view === null ? null : questionKey(view);
  });
}
