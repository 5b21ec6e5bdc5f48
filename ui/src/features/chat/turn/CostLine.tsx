import { dollars } from "@/lib/money";
import { exact } from "@/lib/tokenCount";
import type { Usage } from "@/protocol/bindings";

type Props = {
  usage: Usage;
  /** `null` without a known price. */
  costMicros: number | null;
};

/** What a turn used and cost: "1,240 in (512 cached) · 312 out · $0.0042". */
export function CostLine({ usage, costMicros }: Props) {
  return (
    <p aria-label="Used by this answer" role="note" className="text-micro text-ink-3">
      {costWords(usage, costMicros)}
    </p>
  );
}

export function costWords(usage: Usage, costMicros: number | null): string {
  const cached = usage.cachedTokens > 0 ? ` (${exact(usage.cachedTokens)} cached)` : "";
  const words = [`${exact(usage.inputTokens)} in${cached}`, `${exact(usage.outputTokens)} out`];
  if (costMicros !== null && costMicros > 0) words.push(dollars(costMicros));
  return words.join(" · ");
}
