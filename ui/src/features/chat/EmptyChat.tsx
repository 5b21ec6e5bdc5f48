import { Mark } from "@/components/Mark";
import { useSettings } from "@/state/queries";

type Props = { onPick: (text: string) => void };

const suggestions: readonly string[] = [
  "What's taking space in Downloads?",
  "Explain a word or an idea to me",
  "Help me write a short letter",
];

/** The start of a chat. */
export function EmptyChat({ onPick }: Props) {
  const name = useSettings().data?.userName;
  return (
    <div className="flex min-h-0 grow flex-col items-center justify-end gap-5 px-8 pb-8 text-center">
      <Mark drawn className="size-24" />
      <h2 dir="auto" className="text-display font-strong text-balance">
        {name ? `What shall we do, ${name}?` : "What shall we do?"}
      </h2>
      <ul aria-label="Suggestions" className="flex flex-wrap justify-center gap-2">
        {suggestions.map((text) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onPick(text)}
              className="min-h-8.5 rounded-m border border-line bg-raised px-3.5 text-small text-ink-2 hover:bg-hover hover:text-ink"
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
