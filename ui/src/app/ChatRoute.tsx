import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Button } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { InlineError } from "@/components/InlineError";
import { Page, PageTitle } from "@/components/Page";
import { ChatPane, ContextMeter } from "@/features/chat";
import { LateSessionMenu, TitleEditor, useDeleteSession } from "@/features/sessions";
import { describeError } from "@/lib/describeError";
import { goTo } from "@/lib/navigation";
import { useLive, useSession } from "@/state";
import { useSessions } from "@/state/queries";

const here = getRouteApi("/c/$sessionId");

export function ChatRoute({ isNew }: { isNew: boolean }) {
  return isNew ? <NewChat /> : <StoredChat />;
}

function NewChat() {
  return (
    <Page title={<PageTitle>New chat</PageTitle>}>
      <ChatPane sessionId={null} />
    </Page>
  );
}

function StoredChat() {
  const { sessionId } = here.useParams();
  const { m: turnId } = here.useSearch();
  const { status, error, summary } = useSession(sessionId);
  const live = useLive();
  const listed = useSessions().data?.find((session) => session.sessionId === sessionId);
  const title = listed?.title ?? summary?.title ?? "";

  if (status === "missing") {
    return (
      <Page title={<PageTitle>Gone</PageTitle>}>
        <EmptyState
          title="This chat no longer exists"
          action={<Button onClick={() => goTo({ to: "new" })}>New chat</Button>}
        >
          It may have been deleted, here or from the command line.
        </EmptyState>
      </Page>
    );
  }
  if (status === "failed" && error) {
    return (
      <Page title={<PageTitle>{title}</PageTitle>}>
        <div className="mx-auto w-full max-w-measure p-8">
          <InlineError words={describeError(error)}>
            <Button size="small" onClick={() => void live.session(sessionId).reopen()}>
              Try again
            </Button>
          </InlineError>
        </div>
      </Page>
    );
  }
  return <OpenChat key={sessionId} sessionId={sessionId} title={title} turnId={turnId} />;
}

type Props = { sessionId: string; title: string; turnId: string | undefined };

function OpenChat({ sessionId, title, turnId }: Props) {
  const [renaming, setRenaming] = useState(false);
  const deleteSession = useDeleteSession();
  return (
    <Page
      title={
        renaming ? (
          <TitleEditor sessionId={sessionId} title={title} onDone={() => setRenaming(false)} />
        ) : (
          <PageTitle>{title}</PageTitle>
        )
      }
      actions={
        <>
          <ContextMeter sessionId={sessionId} />
          <Suspense>
            <LateSessionMenu
              size="normal"
              label="Chat actions"
              renaming={renaming}
              onRename={() => setRenaming(true)}
              onDelete={() => void deleteSession({ sessionId, title })}
            />
          </Suspense>
        </>
      }
    >
      <ChatPane sessionId={sessionId} turnId={turnId} />
    </Page>
  );
}
