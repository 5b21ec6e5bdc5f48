import { useEffect, useRef, useState } from "react";

/** A wait that ended long before it is looked at does not start anything. */
const FORGOTTEN_AFTER_MS = 2000;

/** The seconds until `due`; `null` when there is nothing to count. Tries again once at the end. */
export function useRetryCountdown(due: number | null, retry: () => void): number | null {
  const counts = due !== null && due > Date.now() - FORGOTTEN_AFTER_MS;
  const [, setTick] = useState(0);
  const act = useRef(retry);
  useEffect(() => {
    act.current = retry;
  }, [retry]);

  useEffect(() => {
    if (!counts || due === null) return;
    const ticking = setInterval(() => setTick((tick) => tick + 1), 500);
    const ending = setTimeout(() => act.current(), Math.max(0, due - Date.now()));
    return () => {
      clearInterval(ticking);
      clearTimeout(ending);
    };
  }, [counts, due]);

  return counts && due !== null ? Math.max(1, Math.ceil((due - Date.now()) / 1000)) : null;
}
