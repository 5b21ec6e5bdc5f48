import { Brain, ChevronDown } from "lucide-react";
import { Menu, MenuChoice, MenuChoices, MenuLabel } from "@/components/Menu";
import { thinkLabels, thinkLevels } from "@/lib/thinkLevels";
import type { ThinkLevel } from "@/protocol/bindings";
import { useSettings } from "@/state/queries";
import { pillChevronClass, pillClass } from "./ModePicker";

type Props = {
  /** What this chat is set to; `null` is as the settings say. */
  chosen: ThinkLevel | null;
  onChange: (chosen: ThinkLevel | null) => void;
};

const AS_IN_SETTINGS = "settings";

/** How long the model thinks in this chat. */
export function ThinkPicker({ chosen, onChange }: Props) {
  const usual = useSettings().data?.think;
  const label = chosen === null ? "as in Settings" : thinkLabels[chosen];
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button type="button" aria-label={`Thinking: ${label}`} className={pillClass}>
          <Brain aria-hidden="true" className="size-3.5 shrink-0" />
          {chosen === null ? <span className="max-narrow:sr-only">Thinking</span> : thinkLabels[chosen]}
          <ChevronDown aria-hidden="true" className={pillChevronClass} />
        </button>
      }
    >
      <MenuLabel>How long it thinks before it answers</MenuLabel>
      <MenuChoices
        value={chosen ?? AS_IN_SETTINGS}
        onValueChange={(value) => onChange(thinkLevels.find((level) => level === value) ?? null)}
      >
        <MenuChoice value={AS_IN_SETTINGS} {...(usual ? { detail: thinkLabels[usual] } : {})}>
          As in Settings
        </MenuChoice>
        {thinkLevels.map((level) => (
          <MenuChoice key={level} value={level}>
            {thinkLabels[level]}
          </MenuChoice>
        ))}
      </MenuChoices>
    </Menu>
  );
}
