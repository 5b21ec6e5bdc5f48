import { RadioGroup } from "radix-ui";
import { classes } from "@/lib/classes";

type Props<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { readonly value: T; readonly label: string }[];
  className?: string;
};

/** One of a few, all in view. */
export function Segmented<T extends string>({ label, value, onChange, options, className }: Props<T>) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option) onChange(option.value);
      }}
      orientation="horizontal"
      className={classes(
        "inline-flex h-8.5 gap-px rounded-m border border-line-strong bg-raised p-0.5 text-small",
        className,
      )}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className="rounded-s px-2.75 whitespace-nowrap text-ink-2 hover:text-ink data-[state=checked]:bg-press data-[state=checked]:font-mid data-[state=checked]:text-ink"
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
