import { RotateCcw } from "lucide-react";
import { IconButton } from "@/components/IconButton";
import { classes } from "@/lib/classes";
import { CopyButton, type Flavours } from "@/lib/markdown";
import { answerText, type TurnView, useLive } from "@/state";
import { CostLine } from "./CostLine";
import { modelMs } from "./modelTime";

type Props = { sessionId: string; view: TurnView; latest: boolean };

/** What can be done with an answer, and what it used. In view on the last one, else on hover or focus. */
export function ActionRow({ sessionId, view, latest }: Props) {
  const live = useLive();
  const text = answerText(view).trim();
  if (text === "" && view.usage === null) return null;
  const answered = view.outcome?.type === "answered";
  return (
    <div
      className={classes(
        "-ms-2 -mt-1.5 flex min-h-7 flex-wrap items-center text-ink-3",
        !latest && "opacity-0 focus-within:opacity-100 [article:hover>div>&]:opacity-100",
      )}
    >
      {text === "" ? null : <CopyButton label="Copy answer" content={() => flavours(text)} />}
      {latest && answered ? (
        <IconButton
          size="small"
          label="Try again"
          onClick={() => void live.retry(sessionId)}
          icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
        />
      ) : null}
      {view.usage ? (
        <div className="ms-2">
          <CostLine usage={view.usage} costMicros={view.costMicros} modelMs={modelMs(view)} />
        </div>
      ) : null}
    </div>
  );
}

async function flavours(text: string): Promise<Flavours> {
  const { markdownToHtml } = await import("@/lib/markdown/copyHtml");
  return { text, html: markdownToHtml(text) };
}
