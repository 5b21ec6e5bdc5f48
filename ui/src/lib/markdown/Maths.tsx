import { memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { classes } from "@/lib/classes";

type Katex = typeof import("katex").default;

let katex: Katex | null = null;
let loading: Promise<Katex> | null = null;

function loadKatex(): Promise<Katex> {
  loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(([module]) => {
    katex = module.default;
    return module.default;
  });
  return loading;
}

type Props = { source: string; display: boolean };

/** A formula that is closed. Until KaTeX is there, and when it cannot read it, the source shows. */
export const Maths = memo(function Maths({ source, display }: Props) {
  const [ready, setReady] = useState(katex !== null);
  const [problem, setProblem] = useState<string | null>(null);
  const target = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (ready) return;
    let current = true;
    void loadKatex().then(() => {
      if (current) setReady(true);
    });
    return () => {
      current = false;
    };
  }, [ready]);

  useLayoutEffect(() => {
    if (!ready || !katex || !target.current) return;
    try {
      katex.render(source, target.current, {
        displayMode: display,
        trust: false,
        strict: "ignore",
        maxSize: 20,
        maxExpand: 1000,
      });
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof Error ? error.message.replace(/^KaTeX parse error: /, "") : "");
    }
  }, [ready, source, display]);

  const shown = ready && problem === null;
  return (
    <span
      className={classes("maths", display && "maths-block", !shown && "maths-source")}
      dir="ltr"
      title={problem ?? undefined}
    >
      {shown ? null : source}
      <span ref={target} hidden={!shown} />
    </span>
  );
});
