import { dollars } from "@/lib/money";
import { exact } from "@/lib/tokenCount";
import type { Usage } from "@/protocol/bindings";

type Props = {
  usage: Usage;
  /** `null` without a known price. */
  costMicros: number | null;
  /** How long the model took, without the tools; `null` while it is not known. */
  modelMs: number | null;
};

/** Less than this says nothing about the speed. */
const FEW_TOKENS = 20;

/** What a turn used and cost: "1,240 in (512 cached) · 312 out · $0.0042"; without a price its speed. */
export function CostLine({ usage, costMicros, modelMs }: Props) {
  return (
    <p aria-label="Used by this answer" role="note" className="text-micro text-ink-3">
      {costWords(usage, costMicros, modelMs)}
    </p>
  );
}

export function costWords(usage: Usage, costMicros: number | null, modelMs: number | null = null): string {
  const cached = usage.cachedTokens > 0 ? ` (${exact(usage.cachedTokens)} cached)` : "";
  const words = [`${exact(usage.inputTokens)} in${cached}`, `${exact(usage.outputTokens)} out`];
  if (costMicros !== null && costMicros > 0) words.push(dollars(costMicros));
  if (costMicros === null && modelMs !== null && modelMs > 0 && usage.outputTokens >= FEW_TOKENS) {
    const speed = usage.outputTokens / (modelMs / 1000);
    words.push(`${speed < 10 ? speed.toFixed(1) : exact(Math.round(speed))} tokens/s`);
  }
  return words.join(" · ");
}
