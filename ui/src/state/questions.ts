import { create } from "zustand";
import type { SessionId, TurnEnvelope } from "@/protocol/bindings";

type Questions = { readonly sentences: Readonly<Record<SessionId, string>> };

const useQuestions = create<Questions>()(() => ({ sentences: {} }));

/** Remembers what each chat asks, for the list of things that wait. */
export function noteQuestion({ sessionId, event }: TurnEnvelope): void {
  if (event.type === "approvalRequested") {
    const { sentence } = event.request;
    useQuestions.setState(({ sentences }) => ({ sentences: { ...sentences, [sessionId]: sentence } }));
  }
}

/** What the chat asks, if it was seen since the start. */
export function useQuestion(sessionId: SessionId): string | null {
  return useQuestions((state) => state.sentences[sessionId] ?? null);
}
