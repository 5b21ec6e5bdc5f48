import { InlineError } from "@/components/InlineError";
import { Segmented } from "@/components/Segmented";
import { Skeleton } from "@/components/Skeleton";
import { describeError } from "@/lib/describeError";
import { thinkLabels, thinkLevels } from "@/lib/thinkLevels";
import { toApiError } from "@/platform/apiError";
import { useSetSetting, useSettings, useUsage } from "@/state/queries";
import { DollarSetting } from "./DollarSetting";
import { SettingRow } from "./SettingRow";
import { settingKeys } from "./settingKeys";
import { UsageTable } from "./UsageTable";

const limits = [
  { field: "spendingPerTurn", title: "For one question", hint: "With all the steps it takes." },
  { field: "spendingPerDay", title: "For a day", hint: null },
  { field: "spendingPerMonth", title: "For a month", hint: null },
] as const;

/** How long models think, what they may cost, and what they did cost. */
export function ModelsPage() {
  const { data: settings, error } = useSettings();
  const usage = useUsage();
  const change = useSetSetting();

  if (error) return <InlineError words={describeError(toApiError(error))} />;
  if (!settings) return <Skeleton label="Loading settings" rows={4} />;

  return (
    <div className="grid gap-8">
      <div>
        <h2 className="text-title font-mid">Models and money</h2>
        {change.error ? (
          <div className="mt-4">
            <InlineError words={describeError(toApiError(change.error))} />
          </div>
        ) : null}
        <SettingRow
          title="How long it thinks"
          hint="In chats that are not set otherwise. More thinking is slower and costs more."
        >
          <Segmented
            label="How long it thinks"
            value={settings.think}
            onChange={(think) => change.mutate({ field: "think", key: settingKeys.think, value: think })}
            options={thinkLevels.map((level) => ({ value: level, label: thinkLabels[level] }))}
          />
        </SettingRow>
      </div>
      <section aria-labelledby="limits-title">
        <h3 id="limits-title" className="text-lead font-mid">
          Limits
        </h3>
        <p className="mt-1 text-pretty text-ink-2">
          At a limit it stops and asks whether to go on. Only models whose price is known count.
        </p>
        {limits.map(({ field, title, hint }) => (
          <SettingRow key={field} title={title} hint={hint}>
            <DollarSetting
              label={title}
              value={settings[field]}
              onKeep={(dollars) =>
                change.mutate({
                  field,
                  key: settingKeys[field],
                  value: dollars,
                  shown: dollars === null ? "" : String(dollars),
                })
              }
            />
          </SettingRow>
        ))}
      </section>
      <section aria-labelledby="spent-title" className="grid gap-3">
        <h3 id="spent-title" className="text-lead font-mid">
          Spent
        </h3>
        {usage.error ? <InlineError words={describeError(toApiError(usage.error))} /> : null}
        {usage.data ? <UsageTable usage={usage.data} now={Date.now()} /> : null}
        {usage.isPending ? <Skeleton label="Adding up" rows={3} /> : null}
      </section>
    </div>
  );
}
