import type { SessionId } from "@/protocol/bindings";

type Props = { sessionId: SessionId | null };

export function ChatPane({ sessionId }: Props) {
  return <section aria-label="Conversation" data-session={sessionId ?? "new"} />;
}
