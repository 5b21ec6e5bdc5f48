/** A small piece of the thread, being drawn: something works. Always beside words or a name that say so. */
export function RunningThread() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 shrink-0">
      <path
        d="M8 1.5C12.6 4.4 12.6 11.6 8 14.5C3.4 11.6 3.4 4.4 8 1.5Z"
        pathLength={1}
        fill="none"
        strokeWidth={1.5}
        className="draw-on stroke-neeli"
      />
      <circle cx={8} cy={8} r={1.6} className="fill-neeli" />
    </svg>
  );
}
