import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { tooltipBody } from "@/components/Tooltip";

await tooltipBody.load();

afterEach(() => {
  cleanup();
  localStorage.clear();
});
