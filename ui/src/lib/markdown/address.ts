/** What a link or an image of a model may lead to. */

const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"]);

export type Address = { url: string; host: string };

/** A link that may be opened, with the host a person should see; `null` for everything else. */
export function linkAddress(href: string | undefined): Address | null {
  const url = parse(href);
  if (!url || !LINK_SCHEMES.has(url.protocol)) return null;
  return { url: url.href, host: url.protocol === "mailto:" ? url.pathname : url.host };
}

/** Where an image lies. Only pictures that came inside the text are shown by themselves. */
export function imageAddress(
  src: string | undefined,
): { kind: "inline"; url: string } | ({ kind: "remote" } & Address) | null {
  if (src && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(src))
    return { kind: "inline", url: src };
  const url = parse(src);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  return { kind: "remote", url: url.href, host: url.host };
}

/** Whether the text of a link names another host than the one it leads to. */
export function misleads(text: string, { host, url }: Address): boolean {
  if (url.startsWith("mailto:")) return /^[^\s@]+@[^\s@]+$/.test(text.trim()) && text.trim() !== host;
  const named = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,})(?::\d+)?(?:[/?#]\S*)?$/iu.exec(
    text.trim(),
  )?.[1];
  if (named === undefined) return false;
  const plain = (name: string) =>
    name
      .toLowerCase()
      .replace(/^www\./, "")
      .replace(/:\d+$/, "");
  return plain(parse(`https://${named}`)?.host ?? named) !== plain(host);
}

function parse(text: string | undefined): URL | null {
  if (!text) return null;
  return URL.canParse(text) ? new URL(text) : null;
}
