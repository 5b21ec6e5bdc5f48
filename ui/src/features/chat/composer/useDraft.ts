import { useCallback, useEffect, useRef, useState } from "react";
import { usePlatform } from "@/platform/context";
import type { Attachment, Draft } from "@/protocol/bindings";

const SAVE_AFTER_MS = 200;
const empty: Draft = { text: "", attachments: [] };

type Written = {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly setText: (text: string) => void;
  /** Adds a file that the core keeps; one that is there already stays once. */
  readonly attach: (...more: readonly Attachment[]) => void;
  readonly detach: (fileId: string) => void;
  /** It was sent. */
  readonly clear: () => void;
};

/** What is written and not sent yet. The core keeps it, so it outlives the page and the program. */
export function useDraft(sessionId: string | null): Written {
  const platform = usePlatform();
  const [draft, setDraft] = useState(empty);
  const latest = useRef(empty);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What is not saved yet; `null` when everything is. */
  const unsaved = useRef<Draft | null>(null);
  /** What was changed before the kept draft came, which is older then. */
  const touched = useRef({ text: false, files: false });
  const left = useRef(false);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    const written = unsaved.current;
    if (written === null) return;
    unsaved.current = null;
    platform.draftSave(sessionId, written).catch(() => {
      // Shown by the status of the core; the next key tries again.
      unsaved.current ??= written;
    });
  }, [platform, sessionId]);

  const show = useCallback((next: Draft) => {
    latest.current = next;
    setDraft(next);
  }, []);
  const change = useCallback(
    (more: Partial<Draft>) => {
      show({ ...latest.current, ...more });
      unsaved.current = latest.current;
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_AFTER_MS);
    },
    [show, save],
  );

  useEffect(() => {
    let current = true;
    left.current = false;
    platform.draftGet(sessionId).then(
      (kept) => {
        if (!current) return;
        // What was written meanwhile is newer.
        const { text, attachments } = latest.current;
        const next = {
          text: touched.current.text ? text : kept.text,
          attachments: touched.current.files ? attachments : joined(kept.attachments, attachments),
        };
        if (unsaved.current === null) show(next);
        else change(next);
      },
      () => {},
    );
    const onHide = () => save();
    window.addEventListener("pagehide", onHide);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      current = false;
      left.current = true;
      window.removeEventListener("pagehide", onHide);
      document.removeEventListener("visibilitychange", onHide);
      save();
    };
  }, [platform, sessionId, save, show, change]);

  const setText = useCallback(
    (text: string) => {
      touched.current.text = true;
      change({ text });
    },
    [change],
  );
  const attach = useCallback(
    (...more: readonly Attachment[]) => {
      if (!left.current) {
        change({ attachments: joined(latest.current.attachments, more) });
        return;
      }
      // The chat was left while a file was read: by now others may write its draft.
      platform
        .draftGet(sessionId)
        .then((kept) =>
          platform.draftSave(sessionId, { ...kept, attachments: joined(kept.attachments, more) }),
        )
        .catch(() => {});
    },
    [platform, sessionId, change],
  );
  const detach = useCallback(
    (fileId: string) =>
      change({ attachments: latest.current.attachments.filter((file) => file.fileId !== fileId) }),
    [change],
  );
  const clear = useCallback(() => {
    touched.current = { text: true, files: true };
    change(empty);
  }, [change]);
  return { ...draft, setText, attach, detach, clear };
}

/** Both lists, each file once. */
function joined(before: readonly Attachment[], more: readonly Attachment[]): Attachment[] {
  return [...new Map([...before, ...more].map((file) => [file.fileId, file])).values()];
}
