import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "@/components/IconButton";
import { type Flavours, writeClipboard } from "./clipboard";

type Props = { label: string; content: () => Flavours | Promise<Flavours>; className?: string };

const SHOWN_MS = 1600;

/** Copies, and says so for a moment. */
export function CopyButton({ label, content, className }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    setState((await writeClipboard(await content())) ? "copied" : "failed");
  };
  const Icon = state === "copied" ? Check : Copy;
  const name = state === "copied" ? "Copied" : state === "failed" ? "Could not copy" : label;
  return (
    <IconButton
      size="small"
      label={name}
      className={className ?? ""}
      onClick={() => void copy()}
      icon={<Icon aria-hidden="true" className="size-3.5" />}
    />
  );
}
