import { useRef } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { Skeleton } from "@/components/Skeleton";
import { useFocusAfterRemoval } from "@/components/useFocusAfterRemoval";
import { toApiError } from "@/platform/apiError";
import type { LocalModel, LocalWay, ProviderStatus } from "@/protocol/bindings";
import { InstalledRow } from "./InstalledRow";
import { OfferedRow } from "./OfferedRow";
import { useInstalls, useLocalModels } from "./useLocalModels";
import { keeperNames, localWords } from "./words";

type Props = { onUsed: (status: ProviderStatus) => void };

/** What is installed on this computer, what can be, and what runs it. */
export function LocalModels({ onUsed }: Props) {
  const { data, isPending, isFetching, error, refetch } = useLocalModels();
  const { installs, install, stop } = useInstalls();
  const top = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const removed = useFocusAfterRemoval<LocalModel>(
    (model) => data?.installed.some((other) => isSame(other, model)) ?? false,
    [list, top],
  );

  if (isPending) return <Skeleton label="Looking for models on this computer" rows={3} />;
  const failed = error ? (
    <InlineError words={localWords(toApiError(error))}>
      <Button size="small" disabled={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </InlineError>
  ) : null;
  if (!data) return failed;

  const { ways, installed, offered, catalogueDate } = data;
  const canRun = ways.some(({ isThere }) => isThere);
  const more = offered.filter(({ name, isInstalled }) => !isInstalled || installs[name]?.type === "running");
  const fresh = Object.values(installs).filter((one) => one.type === "done");
  return (
    <div ref={top} tabIndex={-1} className="grid gap-6 outline-none">
      {failed}
      {canRun ? null : <NothingRuns ways={ways} looking={isFetching} onLook={() => void refetch()} />}
      {installed.length === 0 ? null : (
        <div className="grid gap-2.5">
          <h4 className="font-mid">Installed</h4>
          <ul ref={list} tabIndex={-1} aria-label="Installed" className="grid gap-2 outline-none">
            {installed.map((model) => (
              <InstalledRow
                key={`${model.keeper} ${model.name}`}
                model={model}
                fresh={fresh.find((one) => isSame(one.model, model)) ?? null}
                onUsed={onUsed}
                onRemoved={() => removed(model)}
              />
            ))}
          </ul>
        </div>
      )}
      {more.length === 0 ? null : (
        <div className="grid gap-2.5">
          <h4 className="font-mid">Can be installed</h4>
          <ul aria-label="Can be installed" className="grid gap-2">
            {more.map((model) => (
              <OfferedRow
                key={model.name}
                offered={model}
                install={installs[model.name] ?? null}
                canRun={canRun}
                onInstall={() => void install(model)}
                onStop={() => void stop(model)}
              />
            ))}
          </ul>
        </div>
      )}
      <p className="text-small text-ink-3">
        {canRun ? `${runners(ways)} What is listed was checked on ` : "What is listed was checked on "}
        <time dateTime={catalogueDate} className="whitespace-nowrap">
          {catalogueDate}
        </time>
        .
      </p>
    </div>
  );
}

function isSame(one: LocalModel, other: LocalModel): boolean {
  return one.name === other.name && one.keeper === other.keeper;
}

/** "Ollama and llama-server are here to run them." */
function runners(ways: readonly LocalWay[]): string {
  const names = ways.filter(({ isThere }) => isThere).map(({ keeper }) => keeperNames[keeper]);
  const list = new Intl.ListFormat("en").format(names);
  return `${list} ${names.length === 1 ? "is" : "are"} here to run them.`;
}

type NothingProps = { ways: readonly LocalWay[]; looking: boolean; onLook: () => void };

function NothingRuns({ ways, looking, onLook }: NothingProps) {
  return (
    <div className="grid gap-3 rounded-l border border-line bg-sunken p-4">
      <p>
        <strong className="font-mid">Nothing here can run a model yet.</strong> Install one of these, then
        look again.
      </p>
      <dl className="grid gap-2 text-small">
        {ways.map(({ keeper, note }) => (
          <div key={keeper}>
            <dt className="font-mid">{keeperNames[keeper]}</dt>
            <dd dir="auto" className="[overflow-wrap:anywhere] text-ink-2">
              {note}
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <Button size="small" disabled={looking} onClick={onLook}>
          {looking ? "Looking…" : "Look again"}
        </Button>
      </div>
    </div>
  );
}
