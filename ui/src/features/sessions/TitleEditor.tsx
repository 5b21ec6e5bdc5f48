import { type KeyboardEvent, useEffect, useRef } from "react";
import { isImeKey } from "@/lib/ime";
import type { SessionId } from "@/protocol/bindings";
import { useRenameSession } from "./actions";

type Props = { sessionId: SessionId; title: string; onDone: () => void };

/** Renames in place: Enter or leaving keeps, Esc takes back. */
export function TitleEditor({ sessionId, title, onDone }: Props) {
  const rename = useRenameSession();
  const input = useRef<HTMLInputElement>(null);
  const ended = useRef(false);

  useEffect(() => {
    // A menu that closes gives the focus back first; this comes after it.
    const frame = requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  function end(keep: boolean): void {
    if (ended.current) return;
    ended.current = true;
    const next = input.current?.value.trim() ?? "";
    if (keep && next !== "" && next !== title) rename.mutate({ sessionId, title: next });
    onDone();
  }

  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (isImeKey(event.nativeEvent)) return;
    if (event.key === "Enter") end(true);
    else if (event.key === "Escape") end(false);
    else return;
    event.preventDefault();
  }

  return (
    <input
      ref={input}
      aria-label="Title of the chat"
      dir="auto"
      defaultValue={title}
      maxLength={200}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
      className="h-7 w-full min-w-0 rounded-s border border-control bg-raised px-1.75 text-small text-ink focus-visible:outline-offset-0"
    />
  );
}
