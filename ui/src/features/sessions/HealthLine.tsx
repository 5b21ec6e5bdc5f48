import { Link } from "@tanstack/react-router";
import { classes } from "@/lib/classes";
import { describeError } from "@/lib/describeError";
import type { Check, ProviderStatus } from "@/protocol/bindings";
import { useKnownChecks, useProviderStatus } from "@/state/queries";

/** One line on how things are; opens the status page. Asks nothing by itself: checks cost a request. */
export function HealthLine({ onGo }: { onGo: () => void }) {
  const provider = useProviderStatus().data;
  const { text, tone } = healthOf(provider, useKnownChecks());

  return (
    <Link
      to="/settings/status"
      onClick={onGo}
      className="flex min-h-7 min-w-0 grow items-center gap-2 rounded-s px-2 text-micro text-ink-3 no-underline hover:bg-hover hover:text-ink"
    >
      <span aria-hidden="true" className={classes("size-1.75 shrink-0 rounded-full", tone)} />
      <span className="truncate">{text}</span>
    </Link>
  );
}

function healthOf(
  provider: ProviderStatus | undefined,
  checks: readonly Check[],
): { text: string; tone: string } {
  if (!provider) return { text: "Looking…", tone: "bg-ink-3" };
  const problem = provider.problem;
  if (!provider.ready && (problem === null || problem.code === "notConfigured")) {
    return { text: "No model is set up", tone: "bg-danger" };
  }
  if (problem) {
    const { title } = describeError(problem, { provider: provider.label, model: provider.model });
    return { text: title, tone: "bg-danger" };
  }
  const failed = checks.find((check) => check.state === "failed");
  if (failed) return { text: failed.detail, tone: "bg-danger" };
  const partly = checks.filter((check) => check.state === "degraded");
  if (partly.length > 0) {
    const words = partly.length === 1 ? "one thing" : `${partly.length} things`;
    return { text: `Running, but for ${words}`, tone: "bg-ink-3" };
  }
  // What was not checked is not claimed.
  return checks.length > 0
    ? { text: "Everything is running", tone: "bg-ok" }
    : { text: `${provider.label} is set up`, tone: "bg-ok" };
}
