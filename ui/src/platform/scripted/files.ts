import type { AddAttachment, Attachment, Draft } from "@/protocol/bindings";
import { apiError } from "../apiError";
import type { ScriptedCore } from "./core";

const mostBytes = 20_000_000;

/** What stands in a composer; `null` is that of the chat that does not exist yet. */
export function draftOf(core: ScriptedCore, sessionId: string | null): Draft {
  return core.state().drafts[sessionId ?? ""] ?? { text: "", attachments: [] };
}

/** Keeps a file as the core does: once for each content, and judged by it. */
export function keepFile(core: ScriptedCore, { name, base64 }: AddAttachment): Attachment {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (bytes.length === 0) throw apiError("invalidInput", `\`${name}\` is empty`);
  if (bytes.length > mostBytes) throw apiError("invalidInput", `\`${name}\` is too large`);
  const mediaType = mediaTypeOf(bytes);
  const { files } = core.state();
  const known = Object.entries(files).find(([, file]) => file.base64 === base64)?.[0];
  const fileId = known ?? core.freshId("file");
  files[fileId] = { mediaType, base64 };
  return { fileId, name, mediaType, sizeBytes: bytes.length };
}

function mediaTypeOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return "image/png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "image/jpeg";
  return bytes.includes(0) ? "application/octet-stream" : "text/plain";
}
