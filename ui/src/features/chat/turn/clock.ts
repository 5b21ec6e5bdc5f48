import { useEffect, useState } from "react";

/** Seconds since a moment, counting while the component is shown. */
export function useSecondsSince(startedAt: number, running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, Math.floor((now - startedAt) / 1000));
}

/** "0.4 s", "12 s", "3 min 5 s". */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(ms, 50) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** "0:12", as a clock that runs. */
export function stopwatch(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
