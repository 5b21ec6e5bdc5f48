import { useCallback, useRef, useState } from "react";
import { toApiError } from "@/platform/apiError";
import { usePlatform } from "@/platform/context";
import type { Attachment } from "@/protocol/bindings";
import { mostFileBytes, mostFiles, sizeWords } from "./limits";

/** A file on its way to the core, or one that was refused. */
export type Unattached = {
  readonly localId: string;
  readonly name: string;
  /** Why it is not attached; `null` while it is being read. */
  readonly refusal: string | null;
};

export type Attaching = {
  readonly unattached: readonly Unattached[];
  /** Something is still being read. */
  readonly busy: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly dismiss: (localId: string) => void;
  /** Forgets what was refused. */
  readonly clear: () => void;
};

/** Gives files to the core, and what becomes of them to the draft. */
export function useAttaching(
  attachments: readonly Attachment[],
  attach: (attachment: Attachment) => void,
): Attaching {
  const platform = usePlatform();
  const [unattached, setUnattached] = useState<readonly Unattached[]>([]);
  const count = useRef(0);
  const line = useRef(Promise.resolve());
  count.current = attachments.length + unattached.filter(({ refusal }) => refusal === null).length;

  const dismiss = useCallback((localId: string) => {
    setUnattached((list) => list.filter((item) => item.localId !== localId));
  }, []);
  const clear = useCallback(() => {
    setUnattached((list) => list.filter(({ refusal }) => refusal === null));
  }, []);
  const add = useCallback(
    (files: readonly File[]) => {
      for (const file of files) {
        const localId = crypto.randomUUID();
        const name = file.name || "pasted image";
        const tell = (refusal: string | null) =>
          setUnattached((list) => [
            ...list.filter((item) => item.localId !== localId),
            { localId, name, refusal },
          ]);
        const refusal = refusalOf(file, count.current);
        tell(refusal);
        if (refusal !== null) continue;
        count.current += 1;
        // One after the other: they stand in the order in which they were chosen.
        line.current = line.current
          .then(() => base64Of(file))
          .then((base64) => platform.attachmentAdd({ name, base64 }))
          .then(
            (attachment) => {
              attach(attachment);
              dismiss(localId);
            },
            (thrown: unknown) => tell(reasonOf(thrown)),
          );
      }
    },
    [platform, attach, dismiss],
  );
  const busy = unattached.some(({ refusal }) => refusal === null);
  return { unattached, busy, add, dismiss, clear };
}

function refusalOf(file: File, count: number): string | null {
  if (file.size > mostFileBytes) return `${sizeWords(file.size)}, limit ${sizeWords(mostFileBytes)}`;
  if (count >= mostFiles) return `a message takes ${mostFiles} files`;
  return null;
}

/** A folder that was dropped cannot be read, and a file may have vanished: the browser says so. */
function reasonOf(thrown: unknown): string {
  if (thrown instanceof DOMException) return "it could not be read";
  return toApiError(thrown).message;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(pieces.join(""));
}
