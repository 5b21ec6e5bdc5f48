import type { ReactNode } from "react";
import { Facts } from "@/components/Facts";
import { InlineError } from "@/components/InlineError";
import { describeError } from "@/lib/describeError";
import type { ConnectionView } from "@/protocol/bindings";
import { factsOf } from "./facts";
import { hostOf } from "./presets";

type Props = {
  connection: ConnectionView;
  /** The id of its heading. */
  title: string;
  first: boolean;
  /** Buttons at the end. */
  children: ReactNode;
};

/** What a connection is: its vendor and name, its model, where it is and what is known of it. */
export function ConnectionHead({ connection, title, first, children }: Props) {
  const { name, label, model, facts } = connection;
  return (
    <>
      <header className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <h4 id={title} className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <span className="font-mid">{label}</span>
            {name === label.toLowerCase() ? null : <bdi className="text-small text-ink-3">{name}</bdi>}
            {first ? (
              <span className="rounded-s bg-neeli-wash px-1.5 py-0.5 text-micro text-neeli">
                answers first
              </span>
            ) : null}
          </h4>
          <p className="text-small [overflow-wrap:anywhere] text-ink-2">
            <bdi className="text-ink">{model}</bdi>, {whereAndKey(connection)}
          </p>
        </div>
        {children}
      </header>
      <Facts label={`What is known of ${model}`} facts={factsOf(facts)} />
    </>
  );
}

/** What went wrong last, and how long it is left alone for that. */
export function ConnectionProblem({ connection }: { connection: ConnectionView }) {
  const { problem, restsUntil, label, model } = connection;
  const rests = restsUntil !== null && restsUntil > Date.now() ? restsUntil : null;
  if (problem === null && rests === null) return null;
  const resting = rests === null ? null : `It failed too often and is left alone until ${clock(rests)}.`;
  const words = problem === null ? null : describeError(problem, { provider: label, model });
  if (words === null) return <p className="text-small text-ink-2">{resting}</p>;
  const hint = [words.hint, resting].filter((line) => line !== null).join(" ");
  return <InlineError role="note" words={{ ...words, hint: hint === "" ? null : hint }} />;
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}

const kinds: Readonly<Record<string, string>> = {
  openai_compatible: "chat completions",
  openai_responses: "responses",
  anthropic: "messages",
  gemini: "generateContent",
};

function whereAndKey({ local, key, baseUrl, kind }: ConnectionView): string {
  const place = local ? "on this computer" : `at ${hostOf(baseUrl) ?? baseUrl}`;
  const keyWords = { vault: "key in the vault", environment: "key in the environment", none: "no key" }[key];
  const words = local && key === "none" ? [place] : [place, keyWords];
  return [...words, ...(kinds[kind] ? [`spoken to by ${kinds[kind]}`] : [])].join(", ");
}
