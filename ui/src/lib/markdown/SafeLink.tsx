import { type MouseEvent, memo, type ReactNode } from "react";
import { linkAddress, misleads } from "./address";
import { useOpenLink } from "./opener";

type Props = { href: string | undefined; text: string; children: ReactNode; id?: string | undefined };

/** A link of a model: opens outside, only what is harmless to open, and shows a host that its text hides. */
export const SafeLink = memo(function SafeLink({ href, text, children, id }: Props) {
  const openLink = useOpenLink();
  if (href?.startsWith("#")) {
    const jump = (event: MouseEvent) => {
      event.preventDefault();
      document.getElementById(href.slice(1))?.scrollIntoView({ block: "nearest" });
    };
    return (
      <a href={href} id={id} onClick={jump}>
        {children}
      </a>
    );
  }
  const address = linkAddress(href);
  if (!address) {
    return (
      <span className="dead-link" title="This link leads nowhere that can be opened.">
        {children}
      </span>
    );
  }
  const open = (event: MouseEvent) => {
    event.preventDefault();
    if (event.button <= 1) openLink(address.url);
  };
  return (
    <a href={address.url} id={id} rel="noreferrer" title={address.url} onClick={open} onAuxClick={open}>
      {children}
      {misleads(text, address) ? (
        <strong className="true-host" dir="ltr">
          {" "}
          leads to {address.host}
        </strong>
      ) : null}
    </a>
  );
});
