/** The parts of the window that F6 goes round, in reading order. */
const regions = ["nav[data-region]", "main[data-region]", 'form[aria-label="Message"]'] as const;

export function focusRegion(step: 1 | -1): void {
  const parts = regions.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]);
  const here = parts.findLastIndex((part) => part.contains(document.activeElement));
  const next = parts[(here + step + parts.length) % parts.length];
  if (!next) return;
  const first = next.matches("form") ? next.querySelector<HTMLElement>("textarea") : null;
  (first ?? next).focus();
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>('form[aria-label="Message"] textarea')?.focus();
}
