import { type FormEvent, useState } from "react";
import { Button } from "@/components/Button";
import { inputClass } from "@/components/Field";
import { Kbd } from "@/components/Kbd";
import { isImeKey } from "@/lib/ime";

type Props = { disabled: boolean; onDecline: (note: string | null) => void; onBack: () => void };

/** Says no, with or without a word on what to do instead. */
export function DeclineLine({ disabled, onDecline, onBack }: Props) {
  const [note, setNote] = useState("");
  const decline = (event: FormEvent) => {
    event.preventDefault();
    onDecline(note.trim() === "" ? null : note.trim());
  };
  return (
    <form onSubmit={decline} className="flex flex-wrap items-center gap-2.5">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for this line
        autoFocus
        type="text"
        dir="auto"
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (isImeKey(event)) {
            if (event.key === "Enter") event.preventDefault();
            return;
          }
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDecline(null);
        }}
        aria-label="Tell it what to do instead (optional)"
        placeholder="Tell it what to do instead"
        className={`${inputClass} min-w-50 grow basis-50`}
      />
      <Button type="submit" disabled={disabled}>
        {note.trim() === "" ? "Don't do it" : "Tell it"}
        <Kbd>↵</Kbd>
      </Button>
      <Button look="quiet" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}
