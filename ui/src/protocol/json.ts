import type { SetSetting } from "./bindings";

/** Any JSON value, under whatever name the generator gives it. */
export type Json = SetSetting["value"];
