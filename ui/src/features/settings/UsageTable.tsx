import { ScrollBox } from "@/lib/markdown/ScrollBox";
import { dollars } from "@/lib/money";
import { spentThisMonth, spentToday } from "@/lib/spent";
import { exact } from "@/lib/tokenCount";
import type { UsageOfDay } from "@/protocol/bindings";

type Props = { usage: readonly UsageOfDay[]; now: number };

/** What was used and spent, by day and model. */
export function UsageTable({ usage, now }: Props) {
  return (
    <div className="grid gap-3">
      <p className="text-ink-2">
        <strong className="font-mid text-ink">{dollars(spentToday(usage, now))}</strong> today,{" "}
        <strong className="font-mid text-ink">{dollars(spentThisMonth(usage, now))}</strong> this month. Days
        are those of UTC.
      </p>
      {usage.length === 0 ? (
        <p className="text-small text-ink-3">Nothing was used in the last 31 days.</p>
      ) : (
        <ScrollBox
          aria-label="Used by day and model"
          className="overflow-x-auto rounded-m border border-line"
        >
          <table className="w-full text-small">
            <thead>
              <tr className="text-ink-3">
                <Head>Day</Head>
                <Head>Model</Head>
                <Head number>Questions</Head>
                <Head number>In</Head>
                <Head number>Out</Head>
                <Head number>Cost</Head>
              </tr>
            </thead>
            <tbody>
              {usage.map(({ day, model, turns, usage: used, costMicros }) => (
                <tr key={`${day} ${model}`} className="border-t border-line">
                  <td className="px-3 py-1.5 whitespace-nowrap">{dayWords(day)}</td>
                  <td className="px-3 py-1.5">
                    <bdi>{model}</bdi>
                  </td>
                  <Sum>{exact(turns)}</Sum>
                  <Sum>{exact(used.inputTokens)}</Sum>
                  <Sum>{exact(used.outputTokens)}</Sum>
                  <Sum>{costMicros === 0 ? "no price" : dollars(costMicros)}</Sum>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </div>
  );
}

function Head({ number = false, children }: { number?: boolean; children: string }) {
  return (
    <th scope="col" className={`px-3 py-1.5 font-text ${number ? "text-end" : "text-start"}`}>
      {children}
    </th>
  );
}

function Sum({ children }: { children: string }) {
  return <td className="px-3 py-1.5 text-end whitespace-nowrap text-ink-2">{children}</td>;
}

function dayWords(day: number): string {
  return new Date(day).toLocaleDateString(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
}
