import type { ReactNode } from "react";
import { late, useLate } from "./late";

type Props = { text: string; keys?: string; children: ReactNode };

/** Loaded after the first paint; tests load it before they begin. */
export const tooltipBody = late(() => import("./TooltipBody"));

/** Names what is under the pointer or has the focus. */
export function Tooltip(props: Props) {
  const loaded = useLate(tooltipBody);
  return loaded ? <loaded.TooltipBody {...props} /> : props.children;
}
