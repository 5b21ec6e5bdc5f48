import { ArrowUp, CircleStop } from "lucide-react";
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
} from "react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";
import { classes } from "@/lib/classes";
import { isImeKey } from "@/lib/ime";
import type { Attachment, Delivery, Mode, QueuedMessage } from "@/protocol/bindings";
import type { Choice } from "@/state";
import { useSettings } from "@/state/queries";
import { AttachButton } from "../attachments/AttachButton";
import { Attachments } from "../attachments/Attachments";
import type { Attaching } from "../attachments/useAttaching";
import { ModelPicker } from "./ModelPicker";
import { ModePicker } from "./ModePicker";
import { QueueChips } from "./QueueChips";
import { SpentLine } from "./SpentLine";
import { ThinkPicker } from "./ThinkPicker";
import { WhereItGoes } from "./WhereItGoes";

type Props = {
  sessionId: string | null;
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  attachments: readonly Attachment[];
  onAttach: (...more: readonly Attachment[]) => void;
  onDetach: (fileId: string) => void;
  attaching: Attaching;
  mode: Mode;
  onMode: (mode: Mode) => void;
  choice: Choice;
  onChoice: (choice: Choice) => void;
  /** The choice of the model is open. */
  picking: boolean;
  onPicking: (picking: boolean) => void;
  onSend: (delivery: Delivery) => void;
  running: boolean;
  stopping: boolean;
  onStop: () => void;
  queue: readonly QueuedMessage[];
  hasOlder: boolean;
  /** The question before, for ↑ in an empty field. */
  lastQuestion: () => string | null;
};

/** Where messages are written. A plain text field: speed and input methods come first. */
export function Composer(props: Props) {
  const { sessionId, field, text, onText, mode, onMode, onSend, running, stopping, onStop, queue } = props;
  const { choice, onChoice } = props;
  const { attachments, onAttach, onDetach, attaching } = props;
  const sendWithEnter = useSettings().data?.sendWithEnter ?? true;
  const hasText = text.trim() !== "";
  const canSend = (hasText || attachments.length > 0) && !attaching.busy;
  useAutoGrow(field, text);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canSend) onSend("queue");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isImeKey(event)) return;
    if (event.key === "ArrowUp" && text === "") {
      const question = props.lastQuestion();
      if (question === null) return;
      event.preventDefault();
      onText(question);
      return;
    }
    const delivery = event.key === "Enter" ? deliveryOf(event, running, sendWithEnter) : null;
    if (delivery === null) return;
    event.preventDefault();
    if (canSend) onSend(delivery);
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    // Programs that copy text often give a picture of it as well: the text is meant.
    if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    attaching.add(files);
  };

  return (
    <form aria-label="Message" onSubmit={submit} className="mx-auto reading-column shrink-0 pb-3.5">
      {sessionId === null ? null : (
        <QueueChips
          sessionId={sessionId}
          queue={queue}
          running={running}
          onEdit={(queued, files) => {
            onText(hasText ? `${text}\n\n${queued}` : queued);
            onAttach(...files);
            field.current?.focus();
          }}
        />
      )}
      <div className="composer-box rounded-l border border-line-strong bg-raised ps-4 pe-2.5 pt-3 pb-2.25 shadow-2 focus-within:border-neeli">
        <Attachments
          attachments={attachments}
          onRemove={onDetach}
          unattached={attaching.unattached}
          onDismiss={attaching.dismiss}
          className="mb-2.5 -ms-1"
        />
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          aria-label="Message"
          placeholder={sessionId === null ? "What shall we do?" : "Reply, or ask for something else"}
          className="block max-h-[40vh] min-h-6.5 w-full resize-none overflow-y-auto bg-transparent pe-1.5 text-read leading-normal outline-none [font-stretch:var(--wdth-text)]"
        />
        <div className="-ms-2 mt-2 flex flex-wrap items-center gap-0.5">
          <AttachButton onFiles={attaching.add} />
          <ModePicker mode={mode} onChange={onMode} />
          <ModelPicker
            chosen={choice.model}
            onChange={(model) => onChoice({ ...choice, model })}
            open={props.picking}
            onOpenChange={props.onPicking}
          />
          <ThinkPicker chosen={choice.think} onChange={(think) => onChoice({ ...choice, think })} />
          <div className="ms-auto flex items-center gap-0.5">
            {running ? (
              <Button
                look="quiet"
                onClick={onStop}
                disabled={stopping}
                icon={<CircleStop aria-hidden="true" className="size-4" />}
              >
                {stopping ? "Stopping…" : "Stop"}
                {stopping ? null : (
                  // On a question that has the focus, Esc means No to it.
                  <Kbd className="group-has-[[data-approval]:focus-within]/chat:invisible max-narrow:hidden">
                    Esc
                  </Kbd>
                )}
              </Button>
            ) : null}
            <button
              type="submit"
              aria-label={running ? "Send after this answer" : "Send"}
              disabled={!canSend}
              className={classes(
                "grid size-8.5 shrink-0 place-items-center rounded-m",
                canSend ? "bg-turn text-on-turn hover:bg-turn-hover" : "bg-press text-ink-3",
              )}
            >
              <ArrowUp aria-hidden="true" className="size-4" />
            </button>
          </div>
        </div>
      </div>
      <div className="flex min-h-6 items-end justify-between gap-4 px-1.5 pt-1.5 text-micro text-ink-3">
        <WhereItGoes chosen={choice.model} />
        {running && canSend ? (
          <span className="flex items-center gap-1.5">
            <Kbd>↵</Kbd> sends after this answer <Kbd>Ctrl ↵</Kbd> now
          </span>
        ) : (
          <SpentLine sessionId={sessionId} hasOlder={props.hasOlder} />
        )}
      </div>
    </form>
  );
}

/** How Enter sends: queued or into the running answer; `null` when it breaks the line. */
function deliveryOf(
  event: Pick<KeyboardEvent, "shiftKey" | "altKey" | "ctrlKey" | "metaKey">,
  running: boolean,
  sendWithEnter: boolean,
): Delivery | null {
  const command = event.ctrlKey || event.metaKey;
  if (event.shiftKey || event.altKey) return null;
  if (command) return running && sendWithEnter ? "steer" : "queue";
  return sendWithEnter ? "queue" : null;
}

/** Lets the field be as tall as its text; CSS sets the limit. */
function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when the text changes
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.blockSize = "auto";
    element.style.blockSize = `${element.scrollHeight}px`;
  }, [field, text]);
}
