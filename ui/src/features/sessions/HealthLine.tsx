import { Link } from "@tanstack/react-router";
import { classes } from "@/lib/classes";
import { useChecks, useProviderStatus } from "@/state/queries";

/** One line on how things are; opens the status page. */
export function HealthLine({ onGo }: { onGo: () => void }) {
  const provider = useProviderStatus().data;
  const checks = useChecks().data;
  const failed = checks?.find((check) => check.state === "failed" && check.name !== "provider");

  const [text, dot] = !provider
    ? ["Looking…", "bg-ink-3"]
    : !provider.ready
      ? ["No model is set up", "bg-danger"]
      : provider.problem
        ? [`${provider.label} is not answering`, "bg-danger"]
        : failed
          ? [failed.detail, "bg-danger"]
          : ["Everything is running", "bg-ok"];

  return (
    <Link
      to="/settings/status"
      onClick={onGo}
      className="flex min-h-7 min-w-0 grow items-center gap-2 rounded-s px-2 text-micro text-ink-3 no-underline hover:bg-hover hover:text-ink"
    >
      <span aria-hidden="true" className={classes("size-1.75 shrink-0 rounded-full", dot)} />
      <span className="truncate">{text}</span>
    </Link>
  );
}
