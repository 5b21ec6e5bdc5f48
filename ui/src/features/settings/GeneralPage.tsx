import { InlineError } from "@/components/InlineError";
import { Segmented } from "@/components/Segmented";
import { SelectField } from "@/components/SelectField";
import { Skeleton } from "@/components/Skeleton";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { SettingsView } from "@/protocol/bindings";
import type { Json } from "@/protocol/json";
import { type SettingChange, useSetSetting, useSettings } from "@/state/queries";
import { SettingRow } from "./SettingRow";
import { settingKeys } from "./settingKeys";
import { TextSetting } from "./TextSetting";

/** Names, appearance and how the assistant asks. Changes apply at once. */
export function GeneralPage() {
  const { data: settings, error } = useSettings();
  const change = useSetSetting();

  function set(field: keyof typeof settingKeys & keyof SettingsView, value: Json): void {
    change.mutate({ field, key: settingKeys[field], value } satisfies SettingChange);
  }

  if (error) return <InlineError words={describeError(toApiError(error))} />;
  if (!settings) return <Skeleton label="Loading settings" rows={4} />;

  return (
    <>
      <h2 className="text-title font-mid">General</h2>
      {change.error ? (
        <div className="mt-4">
          <InlineError words={describeError(toApiError(change.error))} />
        </div>
      ) : null}
      <SettingRow title="Name of the assistant" hint="Used everywhere.">
        <TextSetting
          label="Name of the assistant"
          value={settings.assistantName}
          onKeep={(name) => {
            if (name !== "") set("assistantName", name);
          }}
        />
      </SettingRow>
      <SettingRow title="Your name" hint="How it speaks to you.">
        <TextSetting
          label="Your name"
          value={settings.userName ?? ""}
          placeholder="Not told"
          onKeep={(name) => set("userName", name)}
        />
      </SettingRow>
      <SettingRow title="Theme">
        <Segmented
          label="Theme"
          value={themeOf(settings.theme)}
          onChange={(theme) => set("theme", theme)}
          options={[
            { value: "system", label: "System" },
            { value: "light", label: "Day" },
            { value: "dark", label: "Night" },
          ]}
        />
      </SettingRow>
      <SettingRow title="Send with" hint="The other one makes a new line.">
        <Segmented
          label="Send with"
          value={settings.sendWithEnter ? "enter" : "ctrlEnter"}
          onChange={(keys) => set("sendWithEnter", keys === "enter")}
          options={[
            { value: "enter", label: "Enter" },
            { value: "ctrlEnter", label: "Ctrl Enter" },
          ]}
        />
      </SettingRow>
      <SettingRow title="When it asks" hint={approvalHints[settings.approvals] ?? null}>
        <SelectField
          bare
          label="When it asks"
          value={settings.approvals}
          onChange={(approvals) => set("approvals", approvals)}
          options={[
            { value: "ask_all", label: "Before everything" },
            { value: "ask_when_it_matters", label: "When it matters" },
            { value: "folders", label: "Not in folders I opened" },
          ]}
          className="w-56"
        />
      </SettingRow>
      <p className="pt-4 text-small text-ink-3">
        Version {settings.version}. Your data is in{" "}
        <bdi dir="ltr" className="font-mono text-micro break-all">
          {settings.dataDir}
        </bdi>
        .
      </p>
    </>
  );
}

const approvalHints: Readonly<Record<string, string>> = {
  ask_all: "It asks before each step, also before reading.",
  ask_when_it_matters: "It reads by itself, and asks before it changes, deletes, runs or sends.",
  folders: "It changes files by itself in folders you opened for it, and asks elsewhere.",
};

function themeOf(theme: string): "system" | "light" | "dark" {
  return theme === "light" || theme === "dark" ? theme : "system";
}
