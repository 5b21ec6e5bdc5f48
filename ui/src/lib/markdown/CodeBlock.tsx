import { WrapText } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { IconButton } from "@/components/IconButton";
import { classes } from "@/lib/classes";
import { CopyButton } from "./CopyButton";
import { useHighlight } from "./highlight";
import type { TokenLine } from "./tokens";

type Props = {
  code: string;
  /** What stands behind the fence: a language, sometimes a file name. */
  info: string;
  /** The fence is not closed yet: plain text, nothing folded. */
  open?: boolean;
};

const FOLD_OVER = 40;
const FOLDED_TO = 24;

export const CodeBlock = memo(function CodeBlock({ code, info, open = false }: Props) {
  const [wrap, setWrap] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const { language, title } = useMemo(() => readInfo(info), [info]);
  const lines = useMemo(() => code.replace(/\n$/, "").split("\n"), [code]);
  const coloured = useHighlight(code, language, !open);
  const folded = !open && !unfolded && lines.length > FOLD_OVER;
  const count = folded ? FOLDED_TO : lines.length;

  return (
    <figure className="code-block" dir="ltr" aria-label={title ? `Code, ${title}` : "Code"}>
      <figcaption className="flex h-8.5 items-center gap-0.5 ps-3.5 pe-1.5 text-micro text-ink-3">
        <span className="grow truncate">{title}</span>
        <IconButton
          size="small"
          label="Wrap lines"
          aria-pressed={wrap}
          onClick={() => setWrap(!wrap)}
          icon={<WrapText aria-hidden="true" className="size-3.5" />}
        />
        <CopyButton label="Copy code" content={() => ({ text: code.replace(/\n$/, "") })} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={classes(wrap && "wrap")}>
        <code>
          {coloured ? coloured.slice(0, count).map(colouredLine) : lines.slice(0, count).join("\n")}
        </code>
      </pre>
      {lines.length > FOLD_OVER && !open ? (
        <button
          type="button"
          className="fold"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? "Show less" : `Show all ${lines.length} lines`}
        </button>
      ) : null}
    </figure>
  );
});

function colouredLine(line: TokenLine, index: number) {
  return (
    <span key={index}>
      {line.map(([text, kind], at) =>
        kind === "" ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other name and never move
          <span key={at} className={`syn-${kind}`}>
            {text}
          </span>
        ),
      )}
      {"\n"}
    </span>
  );
}

/** "ts title=app.ts", "src/app.ts" or "ts" as the language and what the head says. */
function readInfo(info: string): { language: string; title: string } {
  const first = info.split(/\s/, 1)[0] ?? "";
  const named = /(?:title|file(?:name)?)=(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(info);
  const file = named?.[1] ?? named?.[2] ?? named?.[3];
  const path = first.includes(":")
    ? first.slice(first.indexOf(":") + 1)
    : /[./]/.test(first)
      ? first
      : undefined;
  const shown = file ?? path;
  const language =
    path === undefined ? first : first === path ? (path.split(".").at(-1) ?? "") : first.split(":")[0];
  return { language: (language ?? "").replace(/^\{?\.?|\}$/g, ""), title: shown ?? first };
}
