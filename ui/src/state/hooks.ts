import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import type { SessionId, TurnId } from "@/protocol/bindings";
import type { Live } from "./live";
import type { SessionState } from "./sessionState";
import { type ContextFill, questionKey, type TurnView } from "./turnView";

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
  return useOfTurn(sessionId, turnId, questionKey);
}

/** The model that a turn asked first. */
export function useModelAsked(sessionId: SessionId, turnId: TurnId | null): string | null {
  return useOfTurn(sessionId, turnId, modelOf);
}

/** How full the context was with the last request of a turn. */
export function useContextFill(sessionId: SessionId, turnId: TurnId | null): ContextFill | null {
  return useOfTurn(sessionId, turnId, contextOf);
}

const modelOf = (view: TurnView) => view.model;
const contextOf = (view: TurnView) => view.context;

/** One thing of a turn; renders again only when that changes. */
function useOfTurn<T>(sessionId: SessionId, turnId: TurnId | null, select: (view: TurnView) => T): T | null {
  const live = useLive();
  const subscribe = useCallback(
    (listener: () => void) => (turnId === null ? () => {} : live.session(sessionId).onTurn(turnId, listener)),
    [live, sessionId, turnId],
  );
  return useSyncExternalStore(subscribe, () => {
    const view = turnId === null ? null : live.session(sessionId).turn(turnId);
    return view ? select(view) : null;
  });
}
