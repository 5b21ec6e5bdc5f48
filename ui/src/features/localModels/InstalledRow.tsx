import { CircleCheck } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { Facts } from "@/components/Facts";
import { InlineError } from "@/components/InlineError";
import { sentence } from "@/lib/sentence";
import { toApiError } from "@/platform/apiError";
import type { LocalModel, ProviderStatus } from "@/protocol/bindings";
import type { Install } from "./installs";
import { RemoveModel } from "./RemoveModel";
import { Note, RowHead } from "./RowHead";
import { useUse } from "./useLocalModels";
import { installedFacts, localWords, titleOf } from "./words";

type Props = {
  model: LocalModel;
  /** It has just been installed from this window. */
  fresh: Extract<Install, { type: "done" }> | null;
  onUsed: (status: ProviderStatus) => void;
  onRemoved: () => void;
};

/** A model that is here: one press uses it. */
export function InstalledRow({ model, fresh, onUsed, onRemoved }: Props) {
  const { title: whole, keeper, isInUse, isOurs, path, hasChatTemplate } = model;
  const id = useId();
  const title = titleOf(whole);
  const use = useUse();
  const useButton = useRef<HTMLButtonElement>(null);
  const removeButton = useRef<HTMLButtonElement>(null);
  const [removing, setRemoving] = useState(false);
  const isFresh = fresh !== null;

  // Whoever waited at the Stop that has just gone is here next.
  useEffect(() => {
    if (isFresh && document.activeElement === document.body) useButton.current?.focus();
  }, [isFresh]);

  return (
    <li aria-labelledby={id} className="grid gap-3 rounded-l border border-line bg-raised p-4">
      <RowHead id={id} title={whole}>
        <div className="flex flex-wrap items-center gap-1.5">
          {isInUse ? (
            <span className="inline-flex items-center gap-1.5 px-2 text-small text-ok">
              <CircleCheck aria-hidden="true" className="size-4" />
              In use
            </span>
          ) : (
            <Button
              ref={useButton}
              look={isFresh ? "solid" : "line"}
              {...(use.isPending ? {} : { "aria-label": `Use ${title}` })}
              disabled={use.isPending}
              // What went wrong is shown below.
              onClick={() => void use.mutateAsync(model).then(onUsed, () => {})}
            >
              {use.isPending ? "Choosing…" : "Use"}
            </Button>
          )}
          {keeper === "lmStudio" ? null : (
            <Button
              ref={removeButton}
              look="quiet"
              aria-label={`Remove ${title}`}
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          )}
        </div>
      </RowHead>
      <Facts label={`What is known of ${title}`} facts={installedFacts(model)} />
      {keeper === "managed" && !isOurs ? (
        <Note>
          You brought its file{path === null ? "" : ` (${path})`}: removing it here leaves that alone.
        </Note>
      ) : null}
      {keeper === "lmStudio" ? <Note>Only LM Studio itself can delete it, under My Models.</Note> : null}
      {hasChatTemplate === false ? (
        <Note>Its file does not say how a conversation is written, so it may answer badly.</Note>
      ) : null}
      {fresh?.notTried ? (
        <Note>It is installed, but could not be tried. {sentence(fresh.notTried)}</Note>
      ) : null}
      {use.error ? <InlineError words={localWords(toApiError(use.error))} /> : null}
      {removing ? (
        <RemoveModel
          model={model}
          onClose={() => {
            setRemoving(false);
            requestAnimationFrame(() => removeButton.current?.focus());
          }}
          onRemoved={onRemoved}
        />
      ) : null}
    </li>
  );
}
