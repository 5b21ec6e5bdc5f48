import { fallbacksOf, readChoice } from "@/state";
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
  const connections = useConnections().data ?? [];
  if (!answerer) return null;
  const isChosen = chosen !== null && readChoice(chosen, connections).connection !== null;
  // What the settings say of the first one is nothing to a chat that another one answers.
  if (!isChosen) {
    if (provider?.problem?.code === "notConfigured") {
      return <span>No model: simple requests only, on this computer</span>;
    }
    if (!provider?.ready) return <span>Nothing can be asked yet: there is no model</span>;
  }
  const others = fallbacksOf(chosen, connections)
    // Where messages stay here, only what leaves is worth a word.
    .filter(({ local }) => !answerer.local || !local)
    .map(({ label, local }) => (local ? `${label} on this computer` : label))
    .filter((label) => label !== answerer.label);
  const then = [...new Set(others)].join(" or ");
  return (
    <span dir="auto">
      {answerer.local ? "Stays on this computer" : `Goes to ${answerer.label}: this chat`}
      {then === "" ? null : `; ${answerer.local ? "goes " : ""}to ${then} when it does not answer`}
    </span>
  );
}
