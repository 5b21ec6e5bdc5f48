import { create } from "zustand";
import type { ApiError } from "@/protocol/bindings";

const storageKey = "namma.sidebar";
const narrowPx = 720;

type FrameState = {
  readonly sidebar: boolean;
  readonly sheet: "shortcuts" | "palette" | null;
  /** The chats that quitting would stop, while the person is asked about it. */
  readonly quitting: readonly string[] | null;
  /** What the start had to tell, until it is closed. */
  readonly notes: readonly ApiError[];
};

/** What is open in the frame. */
export const useFrame = create<FrameState>()(() => ({
  sidebar: sidebarAtStart(),
  sheet: null,
  quitting: null,
  notes: [],
}));

export function toggleSidebar(): void {
  const sidebar = !useFrame.getState().sidebar;
  useFrame.setState({ sidebar });
  try {
    localStorage.setItem(storageKey, sidebar ? "open" : "closed");
  } catch {
    // No storage: the next start shows it again.
  }
}

/** On a narrow window the sidebar lies over the chat: choosing something closes it. */
export function closeSidebarIfNarrow(): void {
  if (window.innerWidth < narrowPx) useFrame.setState({ sidebar: false });
}

export function openSheet(sheet: FrameState["sheet"]): void {
  useFrame.setState({ sheet });
}

export function askBeforeQuitting(running: readonly string[]): void {
  useFrame.setState({ quitting: running });
}

export function showNotes(notes: readonly ApiError[]): void {
  useFrame.setState({ notes });
}

export function closeNote(): void {
  useFrame.setState(({ notes }) => ({ notes: notes.slice(1) }));
}

export function stay(): void {
  useFrame.setState({ quitting: null });
}

function sidebarAtStart(): boolean {
  if (window.innerWidth < narrowPx) return false;
  try {
    return localStorage.getItem(storageKey) !== "closed";
  } catch {
    return true;
  }
}
