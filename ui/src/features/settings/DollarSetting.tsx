import { type KeyboardEvent, useId, useState } from "react";
import { inputClass } from "@/components/Field";
import { classes } from "@/lib/classes";
import { isImeKey } from "@/lib/ime";
import { readDollars } from "@/lib/money";

type Props = {
  label: string;
  /** A decimal number of dollars; empty is no limit. */
  value: string;
  /** `null` is no limit. */
  onKeep: (dollars: number | null) => void;
};

/** A sum of dollars, kept on Enter and on leaving. What cannot be one stays written, with the reason. */
export function DollarSetting({ label, value, onKeep }: Props) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function keep(): void {
    if (draft === null) return;
    const amount = readDollars(draft);
    setProblem(amount.type === "wrong" ? amount.why : null);
    if (amount.type === "wrong") return;
    setDraft(null);
    const dollars = amount.type === "none" ? null : amount.dollars;
    if (dollars !== (value === "" ? null : Number(value))) onKeep(dollars);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isImeKey(event.nativeEvent)) return;
    if (event.key === "Enter") keep();
    if (event.key === "Escape") {
      event.stopPropagation();
      setDraft(null);
      setProblem(null);
    }
  }

  return (
    <div className="grid w-40 gap-1.5">
      <div className="relative flex items-center">
        <span aria-hidden="true" className="absolute start-3 text-ink-3">
          $
        </span>
        <input
          aria-label={`${label}, in US dollars`}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          inputMode="decimal"
          dir="ltr"
          placeholder="No limit"
          value={draft ?? value}
          onChange={(event) => {
            setDraft(event.target.value);
            setProblem(null);
          }}
          onBlur={keep}
          onKeyDown={onKeyDown}
          className={classes(inputClass, "ps-7", problem && "border-danger")}
        />
      </div>
      {problem ? (
        <p id={`${id}-problem`} role="alert" className="text-small text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
