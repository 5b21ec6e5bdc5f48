import { RotateCcw } from "lucide-react";
import { IconButton } from "@/components/IconButton";
import { classes } from "@/lib/classes";
import { CopyButton, type Flavours } from "@/lib/markdown";
import { answerText, type TurnView, useLive } from "@/state";

type Props = { sessionId: string; view: TurnView; latest: boolean };

/** What can be done with an answer. In view on the last one, else on hover or focus. */
export function ActionRow({ sessionId, view, latest }: Props) {
  const live = useLive();
  const text = answerText(view).trim();
  if (text === "") return null;
  const answered = view.outcome?.type === "answered";
  return (
    <div
      className={classes(
        "-ms-2 -mt-1.5 flex h-7 text-ink-3",
        !latest && "opacity-0 focus-within:opacity-100 [article:hover>div>&]:opacity-100",
      )}
    >
      <CopyButton label="Copy answer" content={() => flavours(text)} />
      {latest && answered ? (
        <IconButton
          size="small"
          label="Try again"
          onClick={() => void live.retry(sessionId).catch(() => {})}
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
        />
      ) : null}
    </div>
  );
}

async function flavours(text: string): Promise<Flavours> {
  const { markdownToHtml } = await import("@/lib/markdown/copyHtml");
  return { text, html: markdownToHtml(text) };
}
