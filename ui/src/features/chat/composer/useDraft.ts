import { useCallback, useEffect, useRef, useState } from "react";
import { usePlatform } from "@/platform/context";

const SAVE_AFTER_MS = 200;

/** What is written and not sent yet. The core keeps it, so it outlives the page and the program. */
export function useDraft(sessionId: string | null): readonly [string, (text: string) => void] {
  const platform = usePlatform();
  const [text, setText] = useState("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What is not saved yet; `null` when everything is. */
  const unsaved = useRef<string | null>(null);
  const touched = useRef(false);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    const draft = unsaved.current;
    if (draft === null) return;
    unsaved.current = null;
    platform.draftSave(sessionId, draft).catch(() => {
      // Shown by the status of the core; the next key tries again.
      unsaved.current ??= draft;
    });
  }, [platform, sessionId]);

  useEffect(() => {
    let current = true;
    platform.draftGet(sessionId).then(
      (draft) => {
        // What was typed meanwhile is newer.
        if (current && !touched.current && draft !== "") setText(draft);
      },
      () => {},
    );
    const onHide = () => save();
    window.addEventListener("pagehide", onHide);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      current = false;
      window.removeEventListener("pagehide", onHide);
      document.removeEventListener("visibilitychange", onHide);
      save();
    };
  }, [platform, sessionId, save]);

  const change = useCallback(
    (next: string) => {
      touched.current = true;
      unsaved.current = next;
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [save],
  );
  return [text, change];
}
