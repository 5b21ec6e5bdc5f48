import { CircleAlert, CloudOff, Cpu, RotateCw, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { Strip } from "@/components/Strip";
import { useOnline } from "@/lib/connectivity";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import type { Connection } from "@/platform/platform";
import type { ProviderStatus } from "@/protocol/bindings";
import { useLive } from "@/state";
import { useProviderStatus } from "@/state/queries";
import { closeNote, useFrame } from "./frameState";

type Props = {
  connection: Connection;
  /** The view sets up models itself. */
  settingUp: boolean;
};

/** What concerns every view: a core that is coming back, news of the start, no model, no network. The first that applies. */
export function AppStrips({ connection, settingUp }: Props) {
  const online = useOnline();
  const provider = useProviderStatus().data;
  const notes = useFrame(({ notes }) => notes);
  const live = useLive();
  const waiting = useSyncExternalStore(live.onWaiting, live.waitingCount);

  if (connection === "restarting") {
    return (
      <Strip icon={<RotateCw aria-hidden="true" className="size-4" />}>
        Restarting the assistant… your chat is safe.
      </Strip>
    );
  }
  const note = notes[0];
  if (note) {
    const { title, hint } = describeError(note);
    return (
      <Strip
        tone="danger"
        icon={<CircleAlert aria-hidden="true" className="size-4" />}
        action={
          <>
            <Button size="small" onClick={() => goTo({ to: "settings", page: "status" })}>
              Open status
            </Button>
            <IconButton
              size="small"
              label="Close this note"
              onClick={closeNote}
              icon={<X aria-hidden="true" className="size-4" />}
            />
          </>
        }
      >
        {title} {hint}
      </Strip>
    );
  }
  if (provider?.ready === false && !settingUp) {
    return (
      <Strip
        icon={<Cpu aria-hidden="true" className="size-4" />}
        action={
          <Button size="small" onClick={() => goTo({ to: "welcome" })}>
            Set up a model
          </Button>
        }
      >
        {whyNot(provider)} You can look around and write.
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

function whyNot({ problem, label, model }: ProviderStatus): string {
  return problem ? describeError(problem, { provider: label, model }).title : "There is no model to ask yet.";
}
