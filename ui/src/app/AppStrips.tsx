import { CloudOff, RotateCw } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Strip } from "@/components/Strip";
import { useOnline } from "@/lib/connectivity";
import type { Connection } from "@/platform/platform";
import { useLive } from "@/state";
import { useProviderStatus } from "@/state/queries";

type Props = { connection: Connection };

/** What concerns every view: no network, or a core that is coming back. */
export function AppStrips({ connection }: Props) {
  const online = useOnline();
  const provider = useProviderStatus().data;
  const live = useLive();
  const waiting = useSyncExternalStore(live.onWaiting, live.waitingCount);

  if (connection === "restarting") {
    return (
      <Strip icon={<RotateCw aria-hidden="true" className="size-4" />}>
        Restarting the assistant… your chat is safe.
      </Strip>
    );
  }
  if (online) return null;
  const icon = <CloudOff aria-hidden="true" className="size-4" />;
  if (provider?.local) {
    return <Strip icon={icon}>No connection. {provider.model} runs on this computer and carries on.</Strip>;
  }
  return (
    <Strip icon={icon}>
      No connection. You can write; it goes when you’re back.
      {waiting > 0 ? ` ${waiting} ${waiting === 1 ? "message waits" : "messages wait"}.` : ""}
    </Strip>
  );
}
