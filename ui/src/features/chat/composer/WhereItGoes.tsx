import { useProviderStatus } from "@/state/queries";

/** Where the next message would go. */
export function WhereItGoes() {
  const provider = useProviderStatus().data;
  if (!provider) return null;
  if (provider.baseUrl === "") return <span>No model: simple requests only, on this computer</span>;
  if (!provider.ready) return <span>Nothing can be asked yet: there is no model</span>;
  return (
    <span dir="auto">
      {provider.local ? "Stays on this computer" : `Goes to ${provider.label}: this chat`}
    </span>
  );
}
