import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import type { OfferedModel } from "@/protocol/bindings";
import { Facts } from "./Facts";
import { InstallSteps } from "./InstallSteps";
import type { Install } from "./installs";
import { aboutOf, localWords, offeredFacts, titleOf } from "./words";

type Props = {
  offered: OfferedModel;
  install: Install | null;
  /** Something here could run it. */
  canRun: boolean;
  onInstall: () => void;
  onStop: () => void;
};

/** A model that can be brought here, and how far that is. */
export function OfferedRow({ offered, install, canRun, onInstall, onStop }: Props) {
  const id = useId();
  const title = titleOf(offered.title);
  const about = aboutOf(offered.title);
  const running = install?.type === "running" ? install : null;
  const { button, note } = useKeptFocus(running !== null);

  return (
    <li aria-labelledby={id} className="grid gap-3 rounded-l border border-line bg-raised p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-50 grow basis-0">
          <p id={id} dir="auto" className="font-mid [overflow-wrap:anywhere]">
            {title}
          </p>
          {about === null ? null : (
            <p dir="auto" className="text-small text-pretty text-ink-2">
              {about}
            </p>
          )}
        </div>
        {running ? (
          <Button
            ref={button}
            aria-label={`Stop installing ${title}`}
            disabled={running.stopping}
            onClick={() => {
              note();
              onStop();
            }}
          >
            {running.stopping ? "Stopping…" : "Stop"}
          </Button>
        ) : canRun ? (
          <Button
            ref={button}
            aria-label={install?.type === "stopped" ? `Go on installing ${title}` : `Install ${title}`}
            onClick={() => {
              note();
              onInstall();
            }}
          >
            {install?.type === "stopped" ? "Go on" : install?.type === "failed" ? "Try again" : "Install"}
          </Button>
        ) : null}
      </div>
      <Facts label={`What is known of ${title}`} facts={offeredFacts(offered)} />
      {running ? <InstallSteps label={`Installing ${title}`} progress={running.progress} /> : null}
      {install?.type === "stopped" ? (
        <p className="text-small text-ink-2">
          Stopped. What has arrived is kept; installing it again goes on from there.
        </p>
      ) : null}
      {install?.type === "failed" ? <InlineError words={localWords(install.error)} /> : null}
    </li>
  );
}

/** Install and Stop take each other's place: whoever pressed one is at the other then. */
function useKeptFocus(running: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when one has taken the place of the other
  useEffect(() => {
    const nowhere = document.activeElement === document.body || document.activeElement === null;
    if (pressed.current && nowhere) button.current?.focus();
    pressed.current = false;
  }, [running]);
  return {
    button,
    note: () => {
      pressed.current = true;
    },
  };
}
