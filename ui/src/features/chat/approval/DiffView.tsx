import { classes } from "@/lib/classes";

type Props = { path: string; diff: string };

type Look = "added" | "removed" | "place" | "same";

const looks: Record<Look, string> = {
  added: "bg-ok-wash text-ok",
  removed: "bg-danger-wash text-danger",
  place: "text-ink-3",
  same: "text-ink-2",
};

/** A unified diff. The signs stay, so that colour is not all that tells. */
export function DiffView({ path, diff }: Props) {
  const lines = diff.replace(/\n$/, "").split("\n").filter(isShown);
  const count = (look: Look) => lines.filter((line) => lookOf(line) === look).length;
  return (
    <div dir="ltr" className="grid gap-1.5">
      <p className="text-small text-ink-3 [overflow-wrap:anywhere]">
        {path} <span className="text-ok">+{count("added")}</span>{" "}
        <span className="text-danger">−{count("removed")}</span>
      </p>
      <pre className="font-mono text-mono leading-[1.72]">
        {lines.map((line, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name and never move
            key={index}
            className={classes(
              "block px-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]",
              looks[lookOf(line)],
            )}
          >
            {line === "" ? " " : line}
          </span>
        ))}
      </pre>
    </div>
  );
}

function lookOf(line: string): Look {
  if (line.startsWith("@@") || line.startsWith("\\")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

/** The two lines of file names repeat the head. */
function isShown(line: string, index: number): boolean {
  return !(index < 2 && /^(?:---|\+\+\+) /.test(line));
}
