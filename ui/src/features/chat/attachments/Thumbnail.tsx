import { File as FileIcon, FileText, Image as ImageIcon } from "lucide-react";
import type { Attachment } from "@/protocol/bindings";
import { useAttachedFile } from "@/state/queries";
import { hasThumbnail } from "./limits";

/** An attached image in small, or a sign for its kind. Its name stands beside it. */
export function Thumbnail({ attachment }: { attachment: Attachment }) {
  const file = useAttachedFile(attachment.fileId, hasThumbnail(attachment)).data;
  if (file) {
    return (
      <img
        src={`data:${file.mediaType};base64,${file.base64}`}
        alt=""
        className="size-7.5 shrink-0 rounded-s object-cover"
      />
    );
  }
  const Icon = iconOf(attachment.mediaType);
  return <Icon aria-hidden="true" className="mx-1.5 size-4 shrink-0 text-ink-3" />;
}

function iconOf(mediaType: string) {
  if (mediaType.startsWith("image/")) return ImageIcon;
  return mediaType.startsWith("text/") ? FileText : FileIcon;
}
