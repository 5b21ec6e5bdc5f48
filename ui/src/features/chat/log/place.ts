import type { VirtualItem } from "@tanstack/react-virtual";

/** Where a person was in a chat: the first turn in view, how far it was scrolled, and what was measured. */
export type Place = {
  readonly turnId: string;
  readonly offset: number;
  readonly following: boolean;
  readonly measured: VirtualItem[];
};

const places = new Map<string, Place>();

export function placeOf(sessionId: string | null): Place | null {
  return sessionId === null ? null : (places.get(sessionId) ?? null);
}

export function keepPlace(sessionId: string | null, place: Place): void {
  if (sessionId !== null) places.set(sessionId, place);
}
