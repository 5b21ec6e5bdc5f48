/** What is put on the clipboard: plain text, and HTML for programs that keep tables. */
export type Flavours = { text: string; html?: string };

/** Whether it worked: a webview may refuse without a recent gesture. */
export async function writeClipboard({ text, html }: Flavours): Promise<boolean> {
  try {
    if (html !== undefined && typeof ClipboardItem !== "undefined") {
      const blob = (type: string, content: string) => new Blob([content], { type });
      const item = new ClipboardItem({
        "text/plain": blob("text/plain", text),
        "text/html": blob("text/html", html),
      });
      await navigator.clipboard.write([item]);
    } else await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
