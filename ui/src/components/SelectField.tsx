import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { classes } from "@/lib/classes";
import { inputClass } from "./Field";

type Props = {
  label: string;
  /** The label is for screen readers only. */
  bare?: boolean;
  value: string;
  onChange: (value: string) => void;
  options: readonly { readonly value: string; readonly label: string }[];
  className?: string;
};

/** The select of the system, in our clothes: it works everywhere, also on a phone and for screen readers. */
export function SelectField({ label, bare = false, value, onChange, options, className }: Props) {
  const id = useId();
  return (
    <div className={classes("grid gap-1.5", className)}>
      <label htmlFor={id} className={bare ? "sr-only" : "text-small font-mid text-ink"}>
        {label}
      </label>
      <div className="relative grid items-center">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={classes(inputClass, "appearance-none pe-9")}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-raised text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" className="pointer-events-none absolute end-3 size-4 text-ink-3" />
      </div>
    </div>
  );
}
