import type { Attachment } from "@/protocol/bindings";

/** The core's own limits: what it would refuse is not even read. */
export const mostFiles = 20;
export const mostFileBytes = 20_000_000;

/** A larger image is shown by its name. */
const mostThumbnailBytes = 8 * 1024 * 1024;

export function hasThumbnail({ mediaType, sizeBytes }: Attachment): boolean {
  return mediaType.startsWith("image/") && sizeBytes <= mostThumbnailBytes;
}

/** "800 bytes", "12 kB", "2.1 MB": in thousands, as sizes are told everywhere. */
export function sizeWords(bytes: number): string {
  if (bytes === 1) return "1 byte";
  if (bytes < 1e3) return `${bytes} bytes`;
  if (bytes < 1e6) return `${Math.floor(bytes / 1e3)} kB`;
  return `${Math.floor(bytes / 1e5) / 10} MB`;
}

/** What a message is about in a line: its text, or else what is attached to it. */
export function questionWords(text: string, attachments: readonly Attachment[]): string {
  return text.trim() === "" ? attachments.map(({ name }) => name).join(", ") : text;
}
