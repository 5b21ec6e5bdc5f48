import { useMemo } from "react";
import { ScrollBox } from "@/lib/markdown";
import type { Json } from "@/protocol/bindings";

type Props = { tool: string; input: Json };

/** The arguments as they will be used, whole; long ones scroll. */
export function ExactArguments({ tool, input }: Props) {
  const text = useMemo(() => JSON.stringify(input, null, 2), [input]);
  return (
    <ScrollBox
      aria-label={`Exact arguments of ${tool}`}
      className="max-h-80 overflow-auto rounded-s bg-sunken p-2.5"
    >
      <pre
        dir="ltr"
        className="font-mono text-mono leading-[1.72] whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </ScrollBox>
  );
}
