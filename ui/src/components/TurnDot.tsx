/** The sign of "your turn". Always beside words that say so. */
export function TurnDot() {
  return (
    <span
      aria-hidden="true"
      className="size-1.75 shrink-0 rounded-full bg-turn ring-3 ring-turn/24 forced-colors:bg-[Highlight]"
    />
  );
}
