import { ChevronDown } from "lucide-react";
import { Menu, MenuChoice, MenuChoices } from "@/components/Menu";
import type { Mode } from "@/protocol/bindings";

type Props = { mode: Mode; onChange: (mode: Mode) => void };

const labels: Record<Mode, string> = { agent: "Agent", chat: "Talk only" };
const details: Record<Mode, string> = {
  agent: "May use tools; asks when it matters",
  chat: "Answers in words, touches nothing",
};
const modes: readonly Mode[] = ["agent", "chat"];

export const pillClass =
  "inline-flex h-7.5 max-w-full min-w-0 items-center gap-1.5 rounded-s px-2.25 text-small text-ink-2 hover:bg-hover hover:text-ink aria-expanded:bg-hover";

/** Where there is little room, the words are enough. */
export const pillChevronClass = "size-3.5 shrink-0 text-ink-3 max-narrow:hidden";

/** Whether the assistant may act or only talk. */
export function ModePicker({ mode, onChange }: Props) {
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button type="button" aria-label={`Mode: ${labels[mode]}`} className={pillClass}>
          {labels[mode]}
          <ChevronDown aria-hidden="true" className={pillChevronClass} />
        </button>
      }
    >
      <MenuChoices
        value={mode}
        onValueChange={(value) => {
          const chosen = modes.find((candidate) => candidate === value);
          if (chosen) onChange(chosen);
        }}
      >
        {modes.map((value) => (
          <MenuChoice key={value} value={value} detail={details[value]}>
            {labels[value]}
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}
