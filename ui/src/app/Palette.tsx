import { ChevronRight, MessageSquare, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Dialog } from "@/components/Dialog";
import { Kbd } from "@/components/Kbd";
import { TurnDot } from "@/components/TurnDot";
import { classes } from "@/lib/classes";
import { isImeKey } from "@/lib/ime";
import { matchScore } from "@/lib/matchText";
import { goTo } from "@/lib/navigation";
import { keyLabel } from "@/lib/platformKeys";
import type { SessionSummary } from "@/protocol/bindings";
import { useSessions } from "@/state/queries";
import { frameShortcuts } from "./shortcuts";

type Props = { onClose: () => void; shown: string | null };

type Row = {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly keys: string | null;
  readonly run: () => void;
};

const most = 12;

/** One box for chats and commands. Each row shows its shortcut, so it teaches them. */
export function Palette({ onClose, shown }: Props) {
  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Search or run a command"
      bare
      place="top"
    >
      <PaletteBody onClose={onClose} shown={shown} />
    </Dialog>
  );
}

function PaletteBody({ onClose, shown }: Props) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const rows = rowsFor(query, useSessions().data ?? [], shown);
  const current = Math.min(chosen, rows.length - 1);

  function run(row: Row | undefined): void {
    if (!row) return;
    onClose();
    row.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isImeKey(event.nativeEvent)) {
      event.stopPropagation();
      return;
    }
    if (event.key === "ArrowDown") setChosen((current + 1) % rows.length);
    else if (event.key === "ArrowUp") setChosen((current - 1 + rows.length) % rows.length);
    else if (event.key === "Enter") run(rows[current]);
    else return;
    event.preventDefault();
  }

  return (
    <div className="flex min-h-0 flex-col">
      <input
        role="combobox"
        aria-label="Search or run a command"
        aria-expanded="true"
        aria-controls={`${id}-rows`}
        aria-activedescendant={rows[current] ? `${id}-${current}` : undefined}
        dir="auto"
        placeholder="Search or run a command"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="h-13 shrink-0 border-b border-line bg-transparent px-5 text-lead outline-none"
      />
      <div id={`${id}-rows`} role="listbox" aria-label="Results" className="grid overflow-y-auto p-1.5">
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above hears the keys for the whole list
          <div
            key={row.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onMouseMove={() => setChosen(index)}
            onClick={() => run(row)}
            className={classes(
              "flex min-h-9 items-center gap-3 rounded-s px-3 text-small",
              index === current ? "bg-hover text-ink" : "text-ink-2",
            )}
          >
            {row.icon}
            <span dir="auto" className="grow truncate">
              {row.label}
            </span>
            {row.keys ? <Kbd>{keyLabel(row.keys)}</Kbd> : null}
          </div>
        ))}
      </div>
    </div>
  );
}

function rowsFor(query: string, sessions: readonly SessionSummary[], shown: string | null): readonly Row[] {
  const commandsOnly = query.startsWith(">");
  const wanted = commandsOnly ? query.slice(1) : query;
  const commands = frameShortcuts(sessions, shown)
    .filter(({ keys }) => keys !== "Ctrl+K" && !keys.endsWith("F6"))
    .map(({ keys, does, run }) => ({
      id: `command-${keys}`,
      label: does,
      icon: <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />,
      keys,
      run,
    }));
  const chats = sessions.map(({ sessionId, title, waiting }) => ({
    id: sessionId,
    label: title,
    icon: waiting ? <TurnDot /> : <MessageSquare aria-hidden="true" className="size-4 shrink-0 text-ink-3" />,
    keys: null,
    run: () => goTo({ to: "session", sessionId }),
  }));
  const rows: readonly Row[] = commandsOnly
    ? commands
    : wanted === ""
      ? [...chats.slice(0, 5), ...commands]
      : [...chats, ...commands];
  const found = rows
    .map((row) => ({ row, score: matchScore(wanted, row.label) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => (wanted === "" ? 0 : b.score - a.score))
    .slice(0, most)
    .map(({ row }) => row);
  return wanted.trim() === "" || commandsOnly ? found : [...found, searchEverywhere(wanted)];
}

function searchEverywhere(query: string): Row {
  return {
    id: "search",
    label: `Search all chats for “${query.trim()}”`,
    icon: <Search aria-hidden="true" className="size-4 shrink-0 text-ink-3" />,
    keys: null,
    run: () => goTo({ to: "search", query: query.trim() }),
  };
}
