import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/Button";
import { Facts } from "@/components/Facts";
import { InlineError } from "@/components/InlineError";
import type { OfferedModel } from "@/protocol/bindings";
import { InstallSteps } from "./InstallSteps";
import type { Install } from "./installs";
import { Note, RowHead } from "./RowHead";
import { cautionsOf, localWords, offeredFacts, titleOf } from "./words";

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
  const begin = beginnings[install?.type ?? "none"];
  const running = install?.type === "running" ? install : null;
  const isStopping = running?.stop === "asking";
  const { button, note } = useKeptFocus(running !== null);

  return (
    <li aria-labelledby={id} className="grid gap-3 rounded-l border border-line bg-raised p-4">
      <RowHead id={id} title={offered.title}>
        {running ? (
          <Button
            ref={button}
            {...(isStopping ? {} : { "aria-label": `Stop installing ${title}` })}
            disabled={isStopping}
            onClick={() => {
              note();
              onStop();
            }}
          >
            {isStopping ? "Stopping…" : "Stop"}
          </Button>
        ) : canRun ? (
          <Button
            ref={button}
            aria-label={`${begin.label} ${title}`}
            onClick={() => {
              note();
              onInstall();
            }}
          >
            {begin.words}
          </Button>
        ) : null}
      </RowHead>
      <Facts label={`What is known of ${title}`} facts={offeredFacts(offered)} />
      {cautionsOf(offered).map((caution) => (
        <Note key={caution}>{caution}</Note>
      ))}
      {running ? <InstallSteps label={`Installing ${title}`} progress={running.progress} /> : null}
      {install?.type === "stopped" ? (
        <Note>Stopped. What has arrived is kept; installing it again goes on from there.</Note>
      ) : null}
      {install?.type === "failed" ? <InlineError words={localWords(install.error)} /> : null}
    </li>
  );
}

const first = { words: "Install", label: "Install" };

/** What the button says that begins, after what came before. */
const beginnings: Record<Install["type"] | "none", { words: string; label: string }> = {
  none: first,
  running: first,
  done: first,
  stopped: { words: "Go on", label: "Go on installing" },
  failed: { words: "Try again", label: "Try again to install" },
};

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
