import { sentence } from "@/lib/sentence";

type Props = { model: string; label?: string; reasons?: readonly string[] };

/** From here on another model answers. */
export function ModelDivider({ model, label, reasons = [] }: Props) {
  return (
    <div role="note" className="grid gap-0.5 py-1 text-center">
      <p className="flex items-center gap-3 text-micro text-ink-3 before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          Continued with <bdi className="font-mid text-ink-2">{model}</bdi>
          {label ? ` (${label})` : null}
        </span>
      </p>
      {reasons.length > 0 ? (
        <p dir="auto" className="text-small text-pretty text-ink-2">
          {reasons.map(sentence).join(" ")}
        </p>
      ) : null}
    </div>
  );
}
