import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, Suspense, useRef, useState } from "react";
import { RunningThread } from "@/components/RunningThread";
import { classes } from "@/lib/classes";
import { isImeKey } from "@/lib/ime";
import type { SessionSummary } from "@/protocol/bindings";
import { useQuestion } from "@/state/questions";
import { useIsUnread } from "@/state/unread";
import { useDeleteSession } from "./actions";
import { LateSessionMenu } from "./lateMenu";
import { TitleEditor } from "./TitleEditor";

type Props = { session: SessionSummary; current: boolean; onGo: () => void };

/** One chat in the list: F2 renames, Delete deletes, the menu does both. */
export function SessionRow({ session, current, onGo }: Props) {
  const { sessionId, title, running, waiting } = session;
  const [renaming, setRenaming] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const deleteSession = useDeleteSession();
  const question = useQuestion(sessionId);
  const unread = useIsUnread(sessionId);

  function onKeyDown(event: KeyboardEvent): void {
    if (isImeKey(event.nativeEvent)) return;
    if (event.key === "F2") setRenaming(true);
    else if (event.key === "Delete") void deleteSession(session, current);
    else return;
    event.preventDefault();
  }

  if (renaming) {
    return (
      <li className="px-px py-0.5">
        <TitleEditor
          sessionId={sessionId}
          title={title}
          onDone={() => {
            setRenaming(false);
            requestAnimationFrame(() => link.current?.focus());
          }}
        />
      </li>
    );
  }

  return (
    <li className="group/row relative">
      <Link
        ref={link}
        to="/c/$sessionId"
        params={{ sessionId }}
        aria-current={current ? "page" : undefined}
        onKeyDown={onKeyDown}
        onClick={onGo}
        className={classes(
          "flex min-h-8 items-center gap-2 rounded-s ps-2 pe-2 no-underline",
          "group-focus-within/row:pe-9 group-hover/row:pe-9",
          current ? "bg-press font-mid text-ink" : "text-ink-2 hover:bg-hover",
          waiting && "py-1.5 text-ink",
        )}
      >
        <span className="min-w-0 grow">
          <span dir="auto" className="block truncate">
            {title || "Untitled chat"}
          </span>
          {waiting ? (
            <small dir="auto" className="mt-px block truncate text-micro font-text text-ink-2">
              {question ?? "Waiting for your answer"}
            </small>
          ) : null}
        </span>
        {unread && !running ? (
          <>
            <span aria-hidden="true" className="size-1.75 shrink-0 rounded-full bg-neeli" />
            <span className="sr-only">new answer</span>
          </>
        ) : null}
        {running && !waiting ? (
          <>
            <RunningThread />
            <span className="sr-only">working</span>
          </>
        ) : null}
      </Link>
      <div className="absolute end-0.5 top-0.5 opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 has-aria-expanded:opacity-100">
        <Suspense>
          <LateSessionMenu
            withKeys
            align="start"
            label={`Actions for ${title}`}
            renaming={renaming}
            onRename={() => setRenaming(true)}
            onDelete={() => void deleteSession(session, current)}
          />
        </Suspense>
      </div>
    </li>
  );
}
