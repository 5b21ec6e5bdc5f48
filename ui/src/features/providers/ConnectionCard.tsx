import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { IconButton } from "@/components/IconButton";
import { Switch } from "@/components/Switch";
import { isImeKey } from "@/lib/ime";
import type { ConnectionView } from "@/protocol/bindings";
import { ChangeModel } from "./ChangeModel";
import { ConnectForm } from "./ConnectForm";
import { ConnectionHead, ConnectionProblem } from "./ConnectionHead";
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
  const { name, label, fallback } = connection;
  const called = calledOf(connection);
  const title = useId();
  const [panel, setPanel] = useState<Panel>(null);
  const { testing, run, forget } = useConnectionTest(name);
  // A server of our own has neither a key nor an address.
  const isManaged = connection.kind === "managed_local";
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
      <ConnectionHead connection={connection} title={title} first={first}>
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
      </ConnectionHead>
      {testing.type === "idle" ? <ConnectionProblem connection={connection} /> : null}
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
          aria-label={`Change model of ${called}`}
          aria-expanded={panel === "model"}
          onClick={() => toggle("model")}
        >
          Change model
        </Button>
        {isManaged ? null : (
          <Button
            size="small"
            look="quiet"
            aria-label={`Key and address of ${called}`}
            aria-expanded={panel === "edit"}
            onClick={() => toggle("edit")}
          >
            Key and address
          </Button>
        )}
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
  useLayoutEffect(() => {
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
