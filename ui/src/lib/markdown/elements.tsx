/** What each Markdown element is on our page. */
import type { Element } from "hast";
import { type ComponentProps, type ComponentType, createElement, type ReactNode } from "react";
import type { Components } from "streamdown";
import { CodeBlock } from "./CodeBlock";
import { DataTable } from "./DataTable";
import { Diagram } from "./Diagram";
import { Maths } from "./Maths";
import { Picture } from "./Picture";
import { textOf } from "./rehypeTidy";
import { SafeLink } from "./SafeLink";

type Of<T extends keyof React.JSX.IntrinsicElements> = ComponentProps<T> & { node?: Element | undefined };

type AnyProps = { node?: Element | undefined; children?: ReactNode };

/** An element whose direction follows its own text. */
function directed(tag: string): ComponentType<AnyProps> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each tag, when the module loads
  return function Directed({ node: _node, children, ...rest }) {
    return createElement(tag, { ...rest, dir: "auto" }, children);
  };
}

function plain(tag: string): ComponentType<AnyProps> {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each tag, when the module loads
  return function Plain({ node: _node, children, ...rest }) {
    return createElement(tag, rest, children);
  };
}

function Anchor({ node, href, children, id }: Of<"a">) {
  return (
    <SafeLink href={href} id={id} text={node ? textOf(node) : ""}>
      {children}
    </SafeLink>
  );
}

function Image({ src, alt }: Of<"img">) {
  return <Picture src={typeof src === "string" ? src : undefined} alt={alt ?? ""} />;
}

/** Code inside of a line, or a formula. */
function Inline({ node, className, children }: Of<"code">) {
  if (className === "maths-inline" || className === "maths-display") {
    return <Maths source={node ? textOf(node) : ""} display={className === "maths-display"} />;
  }
  return (
    <code dir="ltr" className="inline-code">
      {children}
    </code>
  );
}

/** A fence: code, a formula or a diagram. */
function Preformatted({ node }: Of<"pre">) {
  const code = node?.children.find((child): child is Element => child.type === "element");
  const source = code ? textOf(code) : "";
  const names = code?.properties.className;
  const language = (Array.isArray(names) ? names : [])
    .map(String)
    .find((name) => name.startsWith("language-"))
    ?.slice("language-".length);
  const rest = code?.properties.metastring;
  return <Fenced code={source} info={[language, rest].filter(Boolean).join(" ")} />;
}

/** What a closed fence shows. */
export function Fenced({ code, info }: { code: string; info: string }) {
  const language = info.split(/\s/, 1)[0];
  if (language === "math") return <Maths source={code.trim()} display />;
  if (language === "mermaid") return <Diagram source={code} />;
  return <CodeBlock code={code} info={info} />;
}

function Table({ children }: Of<"table">) {
  return <DataTable>{children}</DataTable>;
}

/** A box of a task list. It cannot be ticked here. */
function Box({ checked }: Of<"input">) {
  return (
    <input type="checkbox" checked={checked ?? false} disabled aria-label={checked ? "Done" : "Not done"} />
  );
}

/** Headings start below those of the page. */
export const elements: Components = {
  a: Anchor,
  img: Image,
  code: Inline,
  pre: Preformatted,
  table: Table,
  input: Box,
  h1: directed("h3"),
  h2: directed("h4"),
  h3: directed("h5"),
  h4: directed("h6"),
  h5: directed("h6"),
  h6: directed("h6"),
  p: directed("p"),
  li: directed("li"),
  blockquote: directed("blockquote"),
  td: directed("td"),
  th: directed("th"),
  ol: plain("ol"),
  ul: plain("ul"),
  hr: plain("hr"),
  strong: plain("strong"),
  sub: plain("sub"),
  sup: plain("sup"),
  thead: plain("thead"),
  tbody: plain("tbody"),
  tr: plain("tr"),
  section: plain("section"),
};
