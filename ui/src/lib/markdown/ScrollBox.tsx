import type { ComponentProps } from "react";

type Props = ComponentProps<"section"> & { "aria-label": string };

/** A box that scrolls by itself, and so can be reached by keyboard. */
export function ScrollBox(props: Props) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a place in the order its end could not be reached by keys
  return <section tabIndex={0} {...props} />;
}
