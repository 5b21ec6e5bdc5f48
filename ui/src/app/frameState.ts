import { create } from "zustand";

const storageKey = "namma.sidebar";
const narrowPx = 720;

type FrameState = {
  readonly sidebar: boolean;
  readonly sheet: "shortcuts" | "palette" | null;
  /** The chats that quitting would stop, while the person is asked about it. */
  readonly quitting: readonly string[] | null;
};

/** What is open in the frame. */
export const useFrame = create<FrameState>()(() => ({
  sidebar: sidebarAtStart(),
  sheet: null,
  quitting: null,
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
