import { useState } from "react";
import { useChatAnswerer } from "../answerer";
import { useSecondsSince } from "./clock";
import { Strand } from "./Strand";

type Props = { sessionId: string; model: string; first: boolean };

const NAMED_AFTER_S = 3;
const SLOW_AFTER_S = 10;

/** The thread has begun and the model has not spoken: a dot at once, words when it takes long. */
export function WaitingLine({ sessionId, model, first }: Props) {
  const [since] = useState(Date.now);
  const seconds = useSecondsSince(since, true);
  const local = useChatAnswerer(sessionId)?.local ?? false;
  return (
    <p
      className="flex min-h-7.5 items-center gap-2 text-small text-ink-3"
      data-waiting={first ? "first" : "next"}
    >
      <Strand look="now" first last />
      {seconds >= SLOW_AFTER_S ? (
        <>
          <span>{local ? `Still waiting for ${model}.` : "Slow today. Stop, or switch model."}</span>
          <time className="ms-auto pe-1.5 text-micro">{seconds} s</time>
        </>
      ) : seconds >= NAMED_AFTER_S ? (
        <span>Waiting for {model}</span>
      ) : (
        <span className="sr-only">Working</span>
      )}
    </p>
  );
}
