import { useEffect } from "react";
import { isImeKey } from "@/lib/ime";
import { goTo } from "@/lib/navigation";
import { matchesKeys } from "@/lib/platformKeys";
import type { SessionSummary } from "@/protocol/bindings";
import { useLive } from "@/state";
import { useSessions } from "@/state/queries";
import { openSheet, toggleSidebar, useFrame } from "./frameState";
import { focusComposer, focusRegion } from "./regions";

export type Shortcut = {
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
};

/** The shortcuts of the frame: one list for the keys, the palette and the sheet. */
export function frameShortcuts(
  sessions: readonly SessionSummary[],
  shown: string | null,
): readonly Shortcut[] {
  return [
    { keys: "Ctrl+N", does: "New chat", run: () => goTo({ to: "new" }) },
    { keys: "Ctrl+K", does: "Search or run a command", run: () => openSheet("palette") },
    { keys: "Ctrl+Shift+F", does: "Search all chats", run: () => goTo({ to: "search" }) },
    { keys: "Ctrl+J", does: "Next thing that is your turn", run: () => goToNextQuestion(sessions, shown) },
    { keys: "Ctrl+B", does: "Show or hide the sidebar", run: toggleSidebar },
    { keys: "Ctrl+,", does: "Settings", run: () => goTo({ to: "settings", page: "general" }) },
    { keys: "Ctrl+/", does: "Keyboard shortcuts", run: () => openSheet("shortcuts") },
    { keys: "F6", does: "Next part of the window", run: () => focusRegion(1) },
    { keys: "Shift+F6", does: "Previous part of the window", run: () => focusRegion(-1) },
  ];
}

/** Shortcuts that other parts handle; listed so that people find them. */
export const otherShortcuts: readonly Omit<Shortcut, "run">[] = [
  { keys: "Enter", does: "Send, or queue while an answer runs" },
  { keys: "Shift+Enter", does: "New line" },
  { keys: "Ctrl+Enter", does: "Send now, into the running answer" },
  { keys: "Esc", does: "Close what is open; else stop the answer" },
  { keys: "F2", does: "Rename the chat in the list" },
  { keys: "Delete", does: "Delete the chat in the list" },
];

/** Hears the keys of the frame wherever the focus is. */
export function useShortcuts(shown: string | null): void {
  const live = useLive();
  const sessions = useSessions().data;

  useEffect(() => {
    const shortcuts = frameShortcuts(sessions ?? [], shown);
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isImeKey(event)) return;
      const shortcut = shortcuts.find(({ keys }) => matchesKeys(event, keys));
      if (shortcut) {
        event.preventDefault();
        openSheet(null);
        shortcut.run();
      } else if (event.key === "Escape" && useFrame.getState().sheet !== null) {
        // The sheet was asked for and is still on its way.
        openSheet(null);
      } else if (event.key === "Escape" && shown !== null && nothingIsOpen()) {
        if (live.session(shown).state().runningTurnId !== null) void live.cancel(shown);
      } else if (isChatNumber(event)) {
        const session = sessions?.[Number(event.key) - 1];
        if (!session) return;
        event.preventDefault();
        goTo({ to: "session", sessionId: session.sessionId });
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [live, sessions, shown]);
}

function isChatNumber(event: KeyboardEvent): boolean {
  return /^[1-9]$/.test(event.key) && matchesKeys(event, `Ctrl+${event.key}`);
}

/** Whether Esc has nothing to close. */
function nothingIsOpen(): boolean {
  return document.querySelector("[role=dialog], [role=menu], [role=listbox]") === null;
}

function goToNextQuestion(sessions: readonly SessionSummary[], shown: string | null): void {
  const waiting = sessions.filter((session) => session.waiting);
  const at = waiting.findIndex((session) => session.sessionId === shown);
  const next = waiting[(at + 1) % waiting.length];
  if (next) goTo({ to: "session", sessionId: next.sessionId });
  else focusComposer();
}
