import { type KeyboardEvent, useState } from "react";
import { inputClass } from "@/components/Field";
import { isImeKey } from "@/lib/ime";

type Props = { label: string; value: string; placeholder?: string; onKeep: (value: string) => void };

/** A short text, kept on Enter and on leaving; Esc takes it back. */
export function TextSetting({ label, value, placeholder, onKeep }: Props) {
  const [draft, setDraft] = useState<string | null>(null);

  function keep(): void {
    const next = draft?.trim();
    setDraft(null);
    if (next !== undefined && next !== value) onKeep(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isImeKey(event.nativeEvent)) return;
    if (event.key === "Enter") keep();
    if (event.key === "Escape") {
      event.stopPropagation();
      setDraft(null);
    }
  }

  return (
    <div className="w-56">
      <input
        aria-label={label}
        dir="auto"
        placeholder={placeholder}
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={keep}
        onKeyDown={onKeyDown}
        className={inputClass}
      />
    </div>
  );
}
