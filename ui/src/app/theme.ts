import { useEffect } from "react";
import { useSettings } from "@/state/queries";

/** Where theme-first.js looks before the first paint. */
const storageKey = "namma.theme";

/** Follows the setting and, if that says so, the system; at once, without a reload. */
export function useTheme(): void {
  const theme = useSettings().data?.theme;
  useEffect(() => {
    if (theme === undefined) return;
    remember(theme);
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = theme === "dark" || (theme !== "light" && system.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme]);
}

function remember(theme: string): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // No storage: the next start follows the system until the setting is read.
  }
}
