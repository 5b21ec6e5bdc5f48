import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classes } from "@/lib/classes";
import { isImeKey } from "@/lib/ime";
import { matchScore } from "@/lib/matchText";

export type FilterOption = { readonly value: string; readonly label: string; readonly detail?: string };

export type FilterGroup = {
  readonly id: string;
  readonly label: string;
  /** Something to know of the group. */
  readonly note?: string | null;
  readonly options: readonly FilterOption[];
};

type Props = {
  label: string;
  groups: readonly FilterGroup[];
  /** The one that is chosen now. */
  value: string;
  onChoose: (value: string) => void;
  /** What may be chosen though it is not in the list. */
  free?: (written: string) => FilterOption | null;
};

/** More than this nobody reads; writing finds the others. */
const MOST_OF_GROUP = 40;

/** A list that is narrowed down by writing; arrows and Enter choose. */
export function FilterList({ label, groups, value, onChoose, free }: Props) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [marked, setMarked] = useState<string | null>(null);
  const shown = groups.map((group) => found(group, query.trim())).filter((group) => isWorth(group, query));
  const own = query.trim() === "" ? null : (free?.(query.trim()) ?? null);
  const options = [...shown.flatMap((group) => group.options), ...(own ? [own] : [])];
  const at = Math.max(
    0,
    options.findIndex((option) => option.value === (marked ?? value)),
  );

  // It was asked for: what is written next is meant for it.
  useEffect(() => box.current?.focus(), []);

  function onKeyDown(event: KeyboardEvent): void {
    if (isImeKey(event.nativeEvent)) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const chosen = options[at];
    if (step !== 0) setMarked(options[(at + step + options.length) % options.length]?.value ?? null);
    else if (event.key === "Enter" && chosen) onChoose(chosen.value);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  }

  const row = (option: FilterOption) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box above hears the keys for the whole list
    <div
      key={option.value}
      id={`${id}-${options.indexOf(option)}`}
      ref={option === options[at] ? intoView : null}
      role="option"
      tabIndex={-1}
      aria-selected={option === options[at]}
      onMouseMove={() => setMarked(option.value)}
      onClick={() => onChoose(option.value)}
      className={classes(
        "flex min-h-8 items-center gap-2 rounded-s px-2 py-1 text-ink",
        option === options[at] && "bg-hover",
      )}
    >
      <span className="min-w-0 grow [overflow-wrap:anywhere]">
        <bdi>{option.label}</bdi>
        {option.detail ? <small className="block text-micro text-ink-3">{option.detail}</small> : null}
      </span>
      {option.value === value ? (
        <>
          <span aria-hidden="true">✓</span>
          <span className="sr-only">, chosen now</span>
        </>
      ) : null}
    </div>
  );

  return (
    <div className="flex min-h-0 flex-col text-small">
      <input
        ref={box}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={options[at] ? `${id}-${at}` : undefined}
        dir="auto"
        spellCheck={false}
        placeholder="Write to find"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setMarked(null);
        }}
        onKeyDown={onKeyDown}
        className="h-9.5 shrink-0 border-b border-line bg-transparent px-3 outline-none"
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto p-1">
        {shown.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a list of options
          <div key={group.id} role="group" aria-label={group.label}>
            <p aria-hidden="true" className="px-2 pt-1.5 pb-1 text-micro text-ink-3">
              {group.label}
            </p>
            {group.options.map(row)}
            {group.note ? (
              <p role="presentation" className="px-2 pb-1.5 text-micro text-pretty text-ink-3">
                {group.note}
              </p>
            ) : null}
          </div>
        ))}
        {own ? row(own) : null}
        {options.length === 0 ? (
          <p role="presentation" className="px-2 py-2 text-ink-3">
            Nothing for “{query.trim()}”
          </p>
        ) : null}
      </div>
    </div>
  );
}

function found(group: FilterGroup, query: string): FilterGroup {
  // Its name finds all of a group.
  const ofGroup = group.label.toLocaleLowerCase().includes(query.toLocaleLowerCase()) ? 1 : 0;
  const all =
    query === ""
      ? group.options
      : group.options
          .map((option) => ({ option, score: matchScore(query, option.label) + ofGroup }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score)
          .map(({ option }) => option);
  const more = all.length - MOST_OF_GROUP;
  if (more <= 0) return { ...group, options: all };
  return { ...group, options: all.slice(0, MOST_OF_GROUP), note: `${more} more: write to find them.` };
}

/** While nothing is written, a group without options may still have something to say. */
function isWorth(group: FilterGroup, query: string): boolean {
  return group.options.length > 0 || (query.trim() === "" && Boolean(group.note));
}

function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: "nearest" });
}
