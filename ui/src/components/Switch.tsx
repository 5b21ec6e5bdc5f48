import { Switch as RadixSwitch } from "radix-ui";
import { type ReactNode, useId } from "react";

type Props = {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
};

/** On or off; counts at once. */
export function Switch({ label, checked, onChange, disabled = false }: Props) {
  const id = useId();
  return (
    <span className="flex min-h-7 items-center gap-2.5 text-small">
      <RadixSwitch.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className="relative h-5 w-9 shrink-0 rounded-full border border-control bg-raised transition-colors duration-(--d-tap) disabled:opacity-55 data-[state=checked]:border-neeli-fill data-[state=checked]:bg-neeli-fill"
      >
        <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-control transition-transform duration-(--d-tap) rtl:-translate-x-0.5 data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-neeli rtl:data-[state=checked]:-translate-x-4.5 forced-colors:bg-[ButtonText]" />
      </RadixSwitch.Root>
      <label htmlFor={id} className="text-ink-2">
        {label}
      </label>
    </span>
  );
}
