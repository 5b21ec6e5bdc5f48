import { memo, type ReactNode, useRef } from "react";
import { CopyButton } from "./CopyButton";
import type { Flavours } from "./clipboard";
import { ScrollBox } from "./ScrollBox";

type Props = { children: ReactNode };

/** A table in its own scroll box, with a button that copies it for sheets and for mail. */
export const DataTable = memo(function DataTable({ children }: Props) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="table-block">
      <CopyButton label="Copy table" content={() => flavoursOf(table.current)} className="table-copy" />
      <ScrollBox className="table-scroll" aria-label="Table">
        <table ref={table}>{children}</table>
      </ScrollBox>
    </div>
  );
});

function flavoursOf(table: HTMLTableElement | null): Flavours {
  const rows = [...(table?.rows ?? [])].map((row) =>
    [...row.cells].map((cell) => ({
      tag: cell.tagName.toLowerCase(),
      text: (cell.textContent ?? "").trim(),
    })),
  );
  const border = "border:1px solid #999;padding:4px 8px;text-align:start";
  const cells = (row: (typeof rows)[number]) =>
    row.map(({ tag, text }) => `<${tag} style="${border}">${escaped(text)}</${tag}>`).join("");
  return {
    text: rows.map((row) => row.map(({ text }) => text.replace(/[\t\n]/g, " ")).join("\t")).join("\n"),
    html: `<table style="border-collapse:collapse">${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</table>`,
  };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
