import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { InlineError } from "@/components/InlineError";
import { Switch } from "@/components/Switch";
import { describeError } from "@/lib/describeError";
import { isImeKey } from "@/lib/ime";
import type { ConnectionView } from "@/protocol/bindings";
import { ChangeModel } from "./ChangeModel";
import { ConnectForm } from "./ConnectForm";
import { calledOf, useConnectionTest } from "./connections";
import { RemoveDialog } from "./RemoveDialog";
import { TestResult } from "./TestResult";

type Props = {
  connection: ConnectionView;
  /** Counted from 0, and of how many. */
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onFallback: (fallback: boolean) => void;
  onRemoved: () => void;
};

type Panel = "model" | "edit" | "remove" | null;

/** One place where models answer, and what can be done with it. */
export function ConnectionCard(props: Props) {
  const { connection, place, count, onMove, onFallback, onRemoved } = props;
  const { name, label, model, facts, fallback } = connection;
  const called = calledOf(connection);
  const title = useId();
  const [panel, setPanel] = useState<Panel>(null);
  const { testing, run, forget } = useConnectionTest(name);
  const first = place === 0;
  const last = place === count - 1;
  const { up, down, move } = useMoving(place, count, onMove);
  const remove = useRef<HTMLButtonElement>(null);
  const toggle = (which: Panel) => setPanel(panel === which ? null : which);

  return (
    <li
      aria-labelledby={title}
      onKeyDown={(event) => {
        const by = moveOf(event);
        if (by === null) return;
        event.preventDefault();
        move(by);
      }}
      className="grid gap-3 rounded-l border border-line bg-raised p-4"
    >
      <header className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h4 id={title} className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <span className="font-mid">{label}</span>
            {name === label.toLowerCase() ? null : <bdi className="text-small text-ink-3">{name}</bdi>}
            {first ? <Chip strong>answers first</Chip> : null}
          </h4>
          <p className="text-small [overflow-wrap:anywhere] text-ink-2">
            <bdi className="text-ink">{model}</bdi>, {whereAndKey(connection)}
          </p>
        </div>
        <IconButton
          ref={up}
          size="small"
          label={`Move ${called} up`}
          keys="Alt ↑"
          disabled={first}
          onClick={() => move(-1)}
          icon={<ArrowUp aria-hidden="true" className="size-4" />}
        />
        <IconButton
          ref={down}
          size="small"
          label={`Move ${called} down`}
          keys="Alt ↓"
          disabled={last}
          onClick={() => move(1)}
          icon={<ArrowDown aria-hidden="true" className="size-4" />}
        />
      </header>
      {facts.length > 0 ? (
        <ul aria-label={`What is known of ${model}`} className="flex flex-wrap gap-1.5">
          {facts.map((fact) => (
            <li key={fact} className="contents">
              <Chip>{fact}</Chip>
            </li>
          ))}
        </ul>
      ) : null}
      {testing.type === "idle" ? <Problem connection={connection} /> : null}
      {first ? null : (
        <Switch label="Takes over when those before do not answer" checked={fallback} onChange={onFallback} />
      )}
      <div className="flex flex-wrap gap-1.5">
        {testing.type === "running" ? (
          <Button size="small" onClick={forget}>
            Don't wait
          </Button>
        ) : (
          <Button size="small" aria-label={`Test ${called}`} onClick={() => void run()}>
            Test
          </Button>
        )}
        <Button
          size="small"
          look="quiet"
          aria-label={`Change the model of ${called}`}
          aria-expanded={panel === "model"}
          onClick={() => toggle("model")}
        >
          Change model
        </Button>
        <Button
          size="small"
          look="quiet"
          aria-label={`Change the key or address of ${called}`}
          aria-expanded={panel === "edit"}
          onClick={() => toggle("edit")}
        >
          Key and address
        </Button>
        <span className="grow" />
        <Button
          ref={remove}
          size="small"
          look="quiet"
          aria-label={`Remove ${called}`}
          onClick={() => setPanel("remove")}
        >
          Remove
        </Button>
      </div>
      <TestResult testing={testing} label={label} />
      {panel === "model" ? <ChangeModel connection={connection} onDone={() => setPanel(null)} /> : null}
      {panel === "edit" ? (
        <div className="border-t border-line pt-4">
          <ConnectForm
            connection={connection}
            submitLabel="Test and keep"
            onConnected={() => {
              forget();
              setPanel(null);
            }}
          />
        </div>
      ) : null}
      {panel === "remove" ? (
        <RemoveDialog
          connection={connection}
          onClose={() => {
            setPanel(null);
            requestAnimationFrame(() => remove.current?.focus());
          }}
          onRemoved={onRemoved}
        />
      ) : null}
    </li>
  );
}

/** Moving keeps the focus at the button, or at its neighbour where there is no further way. */
function useMoving(place: number, count: number, onMove: (by: -1 | 1) => void) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  const wanted = useRef<-1 | 1 | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: when it has moved; a card put elsewhere in the page loses the focus
  useEffect(() => {
    if (wanted.current === null) return;
    const [button, other] = wanted.current < 0 ? [up, down] : [down, up];
    wanted.current = null;
    (button.current?.disabled ? other : button).current?.focus();
  }, [place]);

  function move(by: -1 | 1): void {
    if (place + by < 0 || place + by >= count) return;
    wanted.current = by;
    onMove(by);
  }
  return { up, down, move };
}

function moveOf(event: KeyboardEvent): -1 | 1 | null {
  if (isImeKey(event.nativeEvent) || !event.altKey || event.ctrlKey || event.metaKey) return null;
  // In a field these keys belong to the text.
  if (event.target instanceof HTMLElement && event.target.matches("input, select")) return null;
  return event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
}

/** What went wrong last, and how long it is left alone for that. */
function Problem({ connection }: { connection: ConnectionView }) {
  const { problem, restsUntil, label, model } = connection;
  const rests = restsUntil !== null && restsUntil > Date.now() ? restsUntil : null;
  if (problem === null && rests === null) return null;
  const resting = rests === null ? null : `It failed too often and is left alone until ${clock(rests)}.`;
  const words = problem === null ? null : describeError(problem, { provider: label, model });
  if (words === null) return <p className="text-small text-ink-2">{resting}</p>;
  const hint = [words.hint, resting].filter((line) => line !== null).join(" ");
  return <InlineError role="note" words={{ ...words, hint: hint === "" ? null : hint }} />;
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

const kinds: Readonly<Record<string, string>> = {
  openai_compatible: "chat completions",
  openai_responses: "responses",
  anthropic: "messages",
  gemini: "generateContent",
};

function whereAndKey({ local, key, baseUrl, kind }: ConnectionView): string {
  const place = local ? "on this computer" : `at ${hostOf(baseUrl)}`;
  const keyWords = { vault: "key in the vault", environment: "key in the environment", none: "no key" }[key];
  const words = local && key === "none" ? [place] : [place, keyWords];
  return [...words, ...(kinds[kind] ? [`spoken to by ${kinds[kind]}`] : [])].join(", ");
}

function hostOf(baseUrl: string): string {
  return URL.parse?.(baseUrl)?.host ?? baseUrl;
}

function Chip({ strong = false, children }: { strong?: boolean; children: ReactNode }) {
  return (
    <span
      className={
        strong
          ? "rounded-s bg-neeli-wash px-1.5 py-0.5 text-micro text-neeli"
          : "rounded-s border border-line px-1.5 py-0.5 text-micro text-ink-2"
      }
    >
      {children}
    </span>
  );
}
