import { lazy, Suspense } from "react";
import { Skeleton } from "@/components/Skeleton";
import type { ProviderStatus } from "@/protocol/bindings";

const LocalModelsNow = lazy(async () => ({ default: (await import("./LocalModels")).LocalModels }));

type Props = { onUsed: (status: ProviderStatus) => void };

/** Models on this computer. Comes when it is looked at: the page around it does not wait. */
export function LocalModels({ onUsed }: Props) {
  return (
    <Suspense fallback={<Skeleton label="Looking for models on this computer" rows={3} />}>
      <LocalModelsNow onUsed={onUsed} />
    </Suspense>
  );
}
