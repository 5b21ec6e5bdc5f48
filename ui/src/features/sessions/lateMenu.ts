import { lazy } from "react";

/** The list is painted before its menus are there. Stands inside `Suspense`. */
export const LateSessionMenu = lazy(async () => ({ default: (await import("./SessionMenu")).SessionMenu }));
