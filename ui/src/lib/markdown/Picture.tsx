import { ImageOff } from "lucide-react";
import { memo } from "react";
import { imageAddress } from "./address";
import { useOpenLink } from "./opener";

type Props = { src: string | undefined; alt: string };

/** A picture in a model's text. One from the network would tell its server that it was read: it is not loaded. */
export const Picture = memo(function Picture({ src, alt }: Props) {
  const openLink = useOpenLink();
  const address = imageAddress(src);
  if (address?.kind === "inline") return <img className="picture" src={address.url} alt={alt} />;
  return (
    <span className="picture-chip">
      <ImageOff aria-hidden="true" className="size-3.5 shrink-0" />
      <span dir="auto">{alt || "Picture"}</span>
      {address ? (
        <>
          <span className="text-ink-3" dir="ltr">
            {address.host}
          </span>
          <button
            type="button"
            title={address.url}
            aria-label={`Show the picture from ${address.host} in the browser`}
            onClick={() => openLink(address.url)}
          >
            Show
          </button>
        </>
      ) : (
        <span className="text-ink-3">not shown</span>
      )}
    </span>
  );
});
