/** Whether the command key of this computer is ⌘. */
export const isMac = /mac/i.test(navigator.platform);

/** How a shortcut is written here: "Ctrl+N" becomes "⌘ N" on a Mac. */
export function keyLabel(keys: string): string {
  return isMac
    ? keys.replace("Ctrl+", "⌘ ").replace("Shift+", "⇧ ").replace("Alt+", "⌥ ")
    : keys.replaceAll("+", " ");
}

type KeyEvent = Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "key">;

/** Whether an event is the shortcut written as "Ctrl+Shift+F". */
export function matchesKeys(event: KeyEvent, keys: string): boolean {
  const names = keys.split("+");
  const key = names.at(-1) ?? "";
  const command = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  return (
    !other &&
    command === names.includes("Ctrl") &&
    event.shiftKey === names.includes("Shift") &&
    event.altKey === names.includes("Alt") &&
    event.key.toLowerCase() === key.toLowerCase()
  );
}
