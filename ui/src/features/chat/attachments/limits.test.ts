import { describe, expect, it } from "vitest";
import { hasThumbnail, questionWords, sizeWords } from "./limits";

const photo = { fileId: "f", name: "photo.png", mediaType: "image/png", sizeBytes: 2048 };

describe("what is attached, in words", () => {
  it("tells sizes as people say them", () => {
    expect([0, 1, 999, 1_000, 12_600, 2_150_000, 48_000_000].map(sizeWords)).toEqual([
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1 kB",
      "12 kB",
      "2.1 MB",
      "48 MB",
    ]);
  });

  it("calls a message without words after its files", () => {
    expect(questionWords(" ", [photo, { ...photo, name: "b.txt" }])).toBe("photo.png, b.txt");
    expect(questionWords("why?", [photo])).toBe("why?");
  });

  it("shows small images only", () => {
    expect(hasThumbnail(photo)).toBe(true);
    expect(hasThumbnail({ ...photo, mediaType: "application/pdf" })).toBe(false);
    expect(hasThumbnail({ ...photo, sizeBytes: 9 * 1024 * 1024 })).toBe(false);
  });
});
