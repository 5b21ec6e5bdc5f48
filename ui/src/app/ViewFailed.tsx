import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "@/components/Button";
import { InlineError } from "@/components/InlineError";
import { Page, PageTitle } from "@/components/Page";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { toApiError } from "@/platform/apiError";

/** A fault in one view stays in that view: the sidebar and the other chats work on. */
export function ViewFailed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={<PageTitle>This view failed</PageTitle>}>
      <div className="mx-auto w-full max-w-measure p-8">
        <InlineError words={describeError(toApiError(error))}>
          <Button size="small" onClick={reset}>
            Try again
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              reset();
              goTo({ to: "new" });
            }}
          >
            New chat
          </Button>
        </InlineError>
      </div>
    </Page>
  );
}
