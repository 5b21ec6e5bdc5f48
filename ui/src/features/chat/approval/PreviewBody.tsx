import type { Preview } from "@/protocol/bindings";
import { DiffView } from "./DiffView";

type Props = { preview: Preview };

const MONO = "font-mono text-mono leading-[1.72] whitespace-pre-wrap [overflow-wrap:anywhere]";

/** The thing itself that an approval is about, whole. */
export function PreviewBody({ preview }: Props) {
  switch (preview.type) {
    case "none":
      return null;
    case "command":
      return (
        <div dir="ltr" className="grid gap-1.5">
          <pre className={`${MONO} text-ink`}>{preview.command}</pre>
          <p className="text-small text-ink-3 [overflow-wrap:anywhere]">in {preview.cwd}</p>
        </div>
      );
    case "diff":
      return <DiffView path={preview.path} diff={preview.diff} />;
    case "moves":
      return (
        <table className={`${MONO} text-ink-2`} dir="ltr">
          <thead className="sr-only">
            <tr>
              <th>From</th>
              <th>To</th>
            </tr>
          </thead>
          <tbody>
            {preview.moves.map(([from, to]) => (
              <tr key={`${from}→${to}`} className="align-baseline">
                <td className="pe-3">{from}</td>
                <td>
                  <span aria-hidden="true" className="pe-2 text-ink-3">
                    →
                  </span>
                  <MoveTarget path={to} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "request":
      return (
        <p dir="ltr" className={`${MONO} text-ink`}>
          <strong className="font-mid">{preview.method}</strong> <RequestTarget url={preview.url} />
        </p>
      );
    case "facts":
      return (
        <ul dir="auto" className="grid gap-1 text-ink [overflow-wrap:anywhere]">
          {preview.facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      );
    case "paths":
      return (
        <ul dir="ltr" className={`${MONO} text-ink`}>
          {preview.paths.map((path) => (
            <li key={path}>{path}</li>
          ))}
        </ul>
      );
  }
}

/** Where a file goes; its name stands out from its folder. */
function MoveTarget({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      <span className="text-ink">{path.slice(0, cut)}</span>
      <span className="text-ok">{path.slice(cut)}</span>
    </>
  );
}

/** An address with its host set apart, so that a long path cannot hide it. */
function RequestTarget({ url }: { url: string }) {
  if (!URL.canParse(url)) return url;
  const { host } = new URL(url);
  const at = url.indexOf(host);
  if (host === "" || at < 0) return url;
  return (
    <>
      <span className="text-ink-2">{url.slice(0, at)}</span>
      <strong className="font-mid text-ink">{host}</strong>
      <span className="text-ink-2">{url.slice(at + host.length)}</span>
    </>
  );
}
