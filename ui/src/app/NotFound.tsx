import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { Page, PageTitle } from "@/components/Page";
import { goTo } from "@/lib/navigation";

export function NotFound() {
  return (
    <Page title={<PageTitle>Not here</PageTitle>}>
      <EmptyState
        title="There is nothing at this address"
        action={<Button onClick={() => goTo({ to: "new" })}>New chat</Button>}
      />
    </Page>
  );
}
