import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "@/components/IconButton";

/** Lets the person choose files. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.target.value = "";
        }}
      />
      <IconButton
        label="Attach files"
        icon={<Paperclip aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
