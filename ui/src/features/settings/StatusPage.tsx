import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { Skeleton } from "@/components/Skeleton";
import { showToast } from "@/components/toasts";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import { toApiError } from "@/platform/apiError";
import type { Check, CheckState } from "@/protocol/bindings";
import { useChecks } from "@/state/queries";

/** The real state of each part, and what to do about it. */
export function StatusPage() {
  const { data: checks, error, isFetching, refetch } = useChecks();

  return (
    <section aria-labelledby="status-title" className="grid gap-4">
      <header className="flex items-center gap-2">
        <h2 id="status-title" className="grow text-title font-mid">
          Status
        </h2>
        <Button size="small" disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? "Checking…" : "Check again"}
        </Button>
        {checks ? (
          <Button size="small" onClick={() => void copyReport(checks)}>
            Copy report
          </Button>
        ) : null}
      </header>
      {error ? <InlineError words={describeError(toApiError(error))} /> : null}
      {checks ? (
        <ul aria-label="Checks" className="grid">
          {checks.map((check) => (
            <CheckRow key={check.name} check={check} />
          ))}
        </ul>
      ) : error ? null : (
        <Skeleton label="Checking" rows={6} />
      )}
    </section>
  );
}

function CheckRow({ check }: { check: Check }) {
  const { Icon, tone, words } = states[check.state];
  return (
    <li className="flex items-start gap-3 border-b border-line py-3">
      <Icon aria-hidden="true" className={classes("mt-0.5 size-4 shrink-0", tone)} />
      <div className="grow">
        <p>
          <span className="font-mid">{nameOf(check.name)}</span>
          <span className="sr-only">, {words}</span>
        </p>
        <p dir="auto" className="text-small text-ink-2">
          {check.detail}
        </p>
        {check.fix ? (
          <p dir="auto" className="text-small text-ink-3">
            {check.fix}
          </p>
        ) : null}
      </div>
      <span aria-hidden="true" className={classes("text-micro", tone)}>
        {words}
      </span>
    </li>
  );
}

const states: Record<CheckState, { Icon: typeof CircleCheck; tone: string; words: string }> = {
  ok: { Icon: CircleCheck, tone: "text-ok", words: "works" },
  degraded: { Icon: TriangleAlert, tone: "text-ink-2", words: "works in part" },
  failed: { Icon: CircleAlert, tone: "text-danger", words: "does not work" },
  unknown: { Icon: CircleHelp, tone: "text-ink-3", words: "cannot be told" },
};

const names: Readonly<Record<string, string>> = {
  provider: "Model",
  vault: "Vault for keys",
  sandbox: "Sandbox for commands",
  database: "Database",
  tray: "Tray icon",
  hotkey: "Global shortcut",
  display: "Display",
  browser: "Browser",
};

function nameOf(name: string): string {
  return names[name] ?? name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

async function copyReport(checks: readonly Check[]): Promise<void> {
  const lines = checks.map(
    ({ name, state, detail, fix }) => `${name}: ${state}. ${detail}${fix ? ` (${fix})` : ""}`,
  );
  try {
    await navigator.clipboard.writeText(lines.join("\n"));
    showToast("Copied the report");
  } catch {
    showToast("The report could not be copied");
  }
}
