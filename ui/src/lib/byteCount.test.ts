import { expect, it } from "vitest";
import { byteCount } from "./byteCount";

it("tells a size as the command line does", () => {
  expect([1_117_320_768, 12_400_000, 3, 0].map(byteCount)).toEqual(["1.1 GB", "13 MB", "1 MB", "0 MB"]);
});
