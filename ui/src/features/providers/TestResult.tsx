import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { InlineError } from "@/components/InlineError";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import { sentence } from "@/lib/sentence";
import type { TestVerdict } from "@/protocol/bindings";
import type { Testing } from "./connections";

type Props = { testing: Testing; label: string };

/** What a test found: the verdict, its words, what to do about it. */
export function TestResult({ testing, label }: Props) {
  if (testing.type === "idle") return null;
  if (testing.type === "running") {
    return (
      <p role="status" className="text-small text-ink-2">
        Asking {label} for one word…
      </p>
    );
  }
  if (testing.type === "failed") {
    return <InlineError words={describeError(testing.error, { provider: label })} />;
  }
  const { verdict, message, hint, firstTokenMs } = testing.test;
  const { Icon, tone, words } = verdicts[verdict];
  return (
    <div role="status" className="flex items-start gap-2.5 text-small">
      <Icon aria-hidden="true" className={classes("mt-0.5 size-4 shrink-0", tone)} />
      <div className="grid gap-0.5 [overflow-wrap:anywhere]">
        <p>
          <strong className={classes("font-mid", tone)}>{words}.</strong>{" "}
          <span dir="auto">{sentence(message)}</span>
          {firstTokenMs === null ? null : ` The first word came after ${seconds(firstTokenMs)}.`}
        </p>
        {hint === null ? null : (
          <p dir="auto" className="text-ink-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

const good = { Icon: CircleCheck, tone: "text-ok" };
const partly = { Icon: TriangleAlert, tone: "text-ink" };
const bad = { Icon: CircleAlert, tone: "text-danger" };

const verdicts: Record<TestVerdict, { Icon: typeof CircleCheck; tone: string; words: string }> = {
  works: { ...good, words: "Works" },
  noTools: { ...partly, words: "Works, without tools" },
  noNetwork: { ...bad, words: "No network" },
  wrongHost: { ...bad, words: "Wrong address" },
  wrongKey: { ...bad, words: "Wrong key" },
  noCredit: { ...bad, words: "No credit" },
  noSuchModel: { ...bad, words: "No such model" },
  other: { ...bad, words: "Does not work" },
};

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
