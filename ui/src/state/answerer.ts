import type { ConnectionView, ProviderStatus } from "@/protocol/bindings";
import type { Choice } from "./sessionState";

/** Who answers in a chat. */
export type Answerer = {
  /** The vendor's name for people; empty when nothing is set up. */
  readonly label: string;
  readonly model: string;
  /** Requests stay on this computer. */
  readonly local: boolean;
};

type Connections = readonly ConnectionView[];

/** Who answers a chat that is set to this, or to nothing; `null` as long as nobody knows. */
export function answererOf(
  chosen: string | null,
  status: ProviderStatus | undefined,
  connections: Connections,
): Answerer | null {
  const meant = chosen === null ? null : readChoice(chosen, connections);
  if (meant?.connection) {
    const { label, local } = meant.connection;
    return { label, local, model: meant.model };
  }
  if (!status) return null;
  const { label, model, local } = status;
  return { label, local, model: meant?.model ?? model };
}

/** Those that take over when the first does not answer. Whoever names a model gets that one and nobody else. */
export function fallbacksOf(chosen: string | null, connections: Connections): Connections {
  return chosen === null ? connections.slice(1).filter(({ fallback }) => fallback) : [];
}

/** A choice without the model of a connection that has been removed since. */
export function standing(choice: Choice, connections: Connections | undefined): Choice {
  if (choice.model === null || !connections || readChoice(choice.model, connections).connection)
    return choice;
  return { ...choice, model: null };
}

type ReadChoice = { readonly connection: ConnectionView | null; readonly model: string };

/** What is meant by a model, a connection, or both as `connection/model`. Names of models hold strokes, too. */
export function readChoice(chosen: string, connections: readonly ConnectionView[]): ReadChoice {
  const whole = connections.find(({ name }) => name === chosen);
  if (whole) return { connection: whole, model: whole.model };
  const connection = connections.find(({ name }) => chosen.startsWith(`${name}/`)) ?? null;
  if (!connection) return { connection, model: chosen };
  return { connection, model: chosen.slice(connection.name.length + 1) || connection.model };
}
