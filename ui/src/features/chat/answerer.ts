import type { SessionId } from "@/protocol/bindings";
import { type Answerer, answererOf, useSession } from "@/state";
import { useConnections, useProviderStatus } from "@/state/queries";

/** What a chat is set to, or what the settings say. */
export function useAnswerer(chosen: string | null): Answerer | null {
  return answererOf(chosen, useProviderStatus().data, useConnections().data ?? []);
}

/** Who answers in a chat that is open. */
export function useChatAnswerer(sessionId: SessionId): Answerer | null {
  return useAnswerer(useSession(sessionId).choice.model);
}
