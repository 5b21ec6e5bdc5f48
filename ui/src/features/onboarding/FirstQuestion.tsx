import { ArrowRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { subject } from "@/lib/sentence";
import { toApiError } from "@/platform/apiError";
import type { ApiError, ProviderStatus } from "@/protocol/bindings";
import { useLive } from "@/state";

type Props = { provider: ProviderStatus; onDone: () => void; onLeave: () => void };

/** Real and harmless: they read, they do not change anything. */
const suggestions = [
  {
    text: "What is taking space in my Downloads folder?",
    shows: "It looks and tells you; nothing is changed.",
  },
  {
    text: "What can you do on this computer, and what do you ask me about first?",
    shows: "How it works with you.",
  },
  { text: "Teach me ten Kannada verbs, with a sentence for each.", shows: "A lesson." },
] as const;

export function FirstQuestion({ provider, onDone, onLeave }: Props) {
  const live = useLive();
  const heading = useRef<HTMLHeadingElement>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [asking, setAsking] = useState(false);

  useEffect(() => heading.current?.focus(), []);

  async function ask(text: string): Promise<void> {
    setAsking(true);
    setError(null);
    try {
      const sessionId = await live.send({
        sessionId: null,
        text,
        mode: "agent",
        model: null,
        think: null,
        allowSpending: false,
        delivery: "queue",
      });
      onDone();
      goTo(sessionId === null ? { to: "new" } : { to: "session", sessionId });
    } catch (thrown) {
      setError(toApiError(thrown));
      setAsking(false);
    }
  }

  return (
    <>
      <header className="grid gap-2">
        <h1 ref={heading} tabIndex={-1} className="text-display font-mid outline-none">
          Ready. Ask something.
        </h1>
        <p className="text-read text-pretty text-ink-2">
          {subject(provider.label)} answers with {provider.model}.{" "}
          {provider.local
            ? "What you write stays on this computer."
            : `What you write goes to ${provider.label}.`}
        </p>
      </header>
      <ul aria-label="First questions" className="grid gap-2">
        {suggestions.map(({ text, shows }) => (
          <li key={text}>
            <button
              type="button"
              disabled={asking}
              onClick={() => void ask(text)}
              className="group flex w-full items-center gap-3 rounded-l border border-line bg-raised px-4 py-3 text-start hover:border-line-strong hover:bg-hover"
            >
              <span className="grow">
                <span className="block text-read">{text}</span>
                <span className="block text-small text-ink-3">{shows}</span>
              </span>
              <ArrowRight aria-hidden="true" className="size-4 shrink-0 text-ink-3 rtl:-scale-x-100" />
            </button>
          </li>
        ))}
      </ul>
      {error ? <InlineError words={describeError(error, { provider: provider.label })} /> : null}
      <div>
        <Button look="line" onClick={onLeave}>
          Write my own
        </Button>
      </div>
    </>
  );
}
