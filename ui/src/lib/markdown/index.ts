export { CopyButton } from "./CopyButton";
export { type Flavours, writeClipboard } from "./clipboard";
export { warmHighlighter } from "./highlight";
export { Markdown } from "./Markdown";
export { OpenLinkProvider } from "./opener";
export { ScrollBox } from "./ScrollBox";
