import { useConnections, useProviderStatus } from "@/state/queries";
import { useAnswerer } from "../answerer";

type Props = {
  /** What this chat is set to. */
  chosen: string | null;
};

/** Where the next message would go, and where it would go when nobody answers there. */
export function WhereItGoes({ chosen }: Props) {
  const provider = useProviderStatus().data;
  const answerer = useAnswerer(chosen);
  const others = useConnections().data?.slice(1) ?? [];
  if (!provider || !answerer) return null;
  if (provider.problem?.code === "notConfigured") {
    return <span>No model: simple requests only, on this computer</span>;
  }
  if (!provider.ready) return <span>Nothing can be asked yet: there is no model</span>;
  if (!answerer.local) return <span dir="auto">Goes to {answerer.label}: this chat</span>;
  // Whoever names a model gets that one and nobody else.
  const away = (chosen === null ? others : [])
    .filter(({ fallback, local }) => fallback && !local)
    .map(({ label }) => label);
  return (
    <span dir="auto">
      Stays on this computer
      {away.length > 0 ? `; goes to ${[...new Set(away)].join(" or ")} when it does not answer` : null}
    </span>
  );
}
