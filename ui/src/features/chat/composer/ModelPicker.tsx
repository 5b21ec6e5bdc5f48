import { ChevronDown } from "lucide-react";
import { lazy, Suspense } from "react";
import { Popover } from "@/components/Popover";
import { Skeleton } from "@/components/Skeleton";
import { useAnswerer } from "../answerer";
import { pillChevronClass, pillClass } from "./ModePicker";

// Comes when it is opened for the first time.
const ModelChoices = lazy(async () => ({ default: (await import("./ModelChoices")).ModelChoices }));

type Props = {
  /** What this chat is set to; `null` is as the settings say. */
  chosen: string | null;
  onChange: (chosen: string | null) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Which model answers in this chat. Another one can go on at any time; the chat stays. */
export function ModelPicker({ chosen, onChange, open, onOpenChange }: Props) {
  const model = useAnswerer(chosen)?.model;
  if (!model) return null;
  return (
    <Popover
      label="Model of this chat"
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <button type="button" aria-label={`Model: ${model}`} className={pillClass}>
          <bdi className="truncate">{model}</bdi>
          <ChevronDown aria-hidden="true" className={pillChevronClass} />
        </button>
      }
    >
      <Suspense fallback={<Skeleton label="Loading models" className="p-4" />}>
        <ModelChoices
          chosen={chosen}
          onChoose={(next) => {
            onOpenChange(false);
            onChange(next);
          }}
          onLeave={() => onOpenChange(false)}
        />
      </Suspense>
    </Popover>
  );
}
