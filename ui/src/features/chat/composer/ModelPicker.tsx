import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
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
};

/** Which model answers in this chat. Another one can go on at any time; the chat stays. */
export function ModelPicker({ chosen, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const model = useAnswerer(chosen)?.model;
  if (!model) return null;
  return (
    <Popover
      label="Model of this chat"
      open={open}
      onOpenChange={setOpen}
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
            setOpen(false);
            onChange(next);
          }}
          onLeave={() => setOpen(false)}
        />
      </Suspense>
    </Popover>
  );
}
