import { Link } from "@tanstack/react-router";
import { markWords, withoutMarkup } from "@/lib/marks";
import type { SearchHit } from "@/protocol/bindings";

type Props = { hit: SearchHit; query: string };

/** One place where it was said; opens the chat there. */
export function HitRow({ hit, query }: Props) {
  const said = hit.role === "user" ? "You" : "Answer";
  return (
    <li>
      <Link
        to="/c/$sessionId"
        params={{ sessionId: hit.sessionId }}
        search={{ m: hit.turnId }}
        className="grid gap-0.5 rounded-m px-3 py-2.5 no-underline hover:bg-hover"
      >
        <span className="flex items-baseline gap-2 text-small">
          <span dir="auto" className="truncate font-mid text-ink">
            {hit.sessionTitle}
          </span>
          <span className="text-micro text-ink-3">{said}</span>
          <time
            dateTime={new Date(hit.createdAt).toISOString()}
            className="ms-auto shrink-0 text-micro text-ink-3"
          >
            {new Date(hit.createdAt).toLocaleDateString(undefined, {
              day: "numeric",
              month: "short",
              year: "numeric",
            })}
          </time>
        </span>
        <span dir="auto" className="line-clamp-2 text-small text-ink-2">
          {markWords(withoutMarkup(hit.excerpt), query).map((piece) =>
            piece.hit ? (
              <mark key={piece.at} className="rounded-s bg-neeli-wash px-0.5 text-ink">
                {piece.text}
              </mark>
            ) : (
              <span key={piece.at}>{piece.text}</span>
            ),
          )}
        </span>
      </Link>
    </li>
  );
}
