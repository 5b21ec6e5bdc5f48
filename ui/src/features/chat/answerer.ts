import type { ConnectionView, SessionId } from "@/protocol/bindings";
import { useSession } from "@/state";
import { useConnections, useProviderStatus } from "@/state/queries";

/** Who answers in a chat. */
export type Answerer = {
  /** The vendor's name for people; empty when nothing is set up. */
  readonly label: string;
  readonly model: string;
  /** Requests stay on this computer. */
  readonly local: boolean;
};

/** What a chat is set to, or what the settings say. */
export function useAnswerer(chosen: string | null): Answerer | null {
  const connections = useConnections().data ?? [];
  const status = useProviderStatus().data;
  if (!status) return null;
  const fallback = { label: status.label, model: status.model, local: status.local };
  if (chosen === null) return fallback;
  const { connection, model } = readChoice(chosen, connections);
  return connection ? { label: connection.label, model, local: connection.local } : { ...fallback, model };
}

/** Who answers in a chat that is open. */
export function useChatAnswerer(sessionId: SessionId): Answerer | null {
  return useAnswerer(useSession(sessionId).choice.model);
}

type ReadChoice = { readonly connection: ConnectionView | null; readonly model: string };

/** What is meant by a model, a connection, or both as `connection/model`. Names of models hold strokes, too. */
export function readChoice(chosen: string, connections: readonly ConnectionView[]): ReadChoice {
  const whole = connections.find(({ name }) => name === chosen);
  if (whole) return { connection: whole, model: whole.model };
  const connection = connections.find(({ name }) => chosen.startsWith(`${name}/`)) ?? null;
  return { connection, model: connection ? chosen.slice(connection.name.length + 1) : chosen };
}
