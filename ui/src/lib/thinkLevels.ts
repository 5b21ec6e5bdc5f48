import type { ThinkLevel } from "@/protocol/bindings";

/** From little to much. */
export const thinkLevels: readonly ThinkLevel[] = ["off", "low", "medium", "high"];

export const thinkLabels: Record<ThinkLevel, string> = {
  off: "Off",
  low: "Low",
  medium: "Medium",
  high: "High",
};
