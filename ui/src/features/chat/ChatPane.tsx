import { useEffect, useMemo, useRef, useState } from "react";
import "./chat.css";
import { Skeleton } from "@/components/Skeleton";
import { classes } from "@/lib/classes";
import { OpenLinkProvider, warmHighlighter } from "@/lib/markdown";
import { goTo } from "@/lib/navigation";
import { usePlatform } from "@/platform/context";
import type { Attachment, Delivery, Mode } from "@/protocol/bindings";
import { type Choice, noChoice, type Outgoing, standing, useLive, useSession } from "@/state";
import { useConnections, useSettings } from "@/state/queries";
import { watchKeys } from "./approval/arming";
import { useAttaching } from "./attachments/useAttaching";
import { useFileDrop } from "./attachments/useFileDrop";
import { Composer } from "./composer/Composer";
import { useDraft } from "./composer/useDraft";
import { type ChatControl, ChatControlProvider } from "./control";
import { EmptyChat } from "./EmptyChat";
import { Log } from "./log/Log";
import { useKept } from "./log/memory";

type Props = {
  /** `null` is the chat that does not exist yet. */
  sessionId: string | null;
  /** A turn to show, from a search. */
  turnId?: string | undefined;
};

/** A chat: what was said, and where to say more. */
export function ChatPane({ sessionId, turnId }: Props) {
  const live = useLive();
  const platform = usePlatform();
  const session = useSession(sessionId);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, setText, attachments, attach, detach, clear } = useDraft(sessionId);
  const attaching = useAttaching(attachments, attach);
  const drop = useFileDrop(attaching.add);
  const settings = useSettings().data;
  const [chosen, setChosen] = useKept<Mode | null>(`mode:${sessionId ?? "new"}`, null);
  const [sent, setSent] = useState(0);
  const [picking, setPicking] = useState(false);
  const lastTurnId = session.turnIds.at(-1);
  const lastTurn =
    sessionId !== null && lastTurnId !== undefined ? live.session(sessionId).turn(lastTurnId) : null;
  // A chat goes on as it was.
  const mode = chosen ?? lastTurn?.mode ?? settings?.mode ?? "agent";
  const [written, setFirstChoice] = useKept<Choice>("choice:new", noChoice);
  const firstChoice = standing(written, useConnections().data);
  const choice = sessionId === null ? firstChoice : session.choice;
  const choose = (next: Choice) => {
    if (sessionId === null) setFirstChoice(next);
    else void live.choose(sessionId, next);
  };
  const running = session.runningTurnId !== null;

  const send = async (
    message: string,
    files: readonly Attachment[],
    delivery: Delivery,
    more: Partial<Outgoing> = {},
  ) => {
    setSent((count) => count + 1);
    // What a chat is set to holds without being said; a new one is set by its first message.
    const { model, think } = firstChoice;
    const set = sessionId === null ? { model, think } : noChoice;
    const born = await live.send({
      sessionId,
      text: message,
      attachments: files,
      mode,
      ...set,
      allowSpending: false,
      delivery,
      ...more,
    });
    if (sessionId !== null || born === null) return;
    setChosen(null);
    setFirstChoice(noChoice);
    goTo({ to: "session", sessionId: born });
  };
  const current = useRef({ text, send, setText, setChosen, attach });
  useEffect(() => {
    current.current = { text, send, setText, setChosen, attach };
  });
  const control = useMemo((): ChatControl => {
    const focusComposer = () => field.current?.focus();
    return {
      fill: (filled, files = []) => {
        const { text: written, setText: write, attach: add } = current.current;
        add(...files);
        write(written.trim() === "" || written === filled ? filled : `${written}\n\n${filled}`);
        focusComposer();
      },
      send: (message, allowSpending = false) =>
        void current.current.send(message, [], "queue", { allowSpending }),
      talkOnly: (message, files) => {
        current.current.setChosen("chat");
        void current.current.send(message, files, "queue", { mode: "chat" });
      },
      pickModel: () => setPicking(true),
      focusComposer,
      isComposerEmpty: () => current.current.text.trim() === "",
    };
  }, []);

  useEffect(() => {
    field.current?.focus();
    const idle = setTimeout(warmHighlighter, 1500);
    const stop = watchKeys();
    return () => {
      clearTimeout(idle);
      stop();
    };
  }, []);

  const empty = session.status === "ready" && session.turnIds.length === 0 && session.pending.length === 0;
  return (
    <OpenLinkProvider value={(url) => void platform.linkOpen(url).catch(() => {})}>
      <ChatControlProvider value={control}>
        <section
          aria-label="Chat"
          className={classes(
            "group/chat flex min-h-0 grow flex-col",
            drop.over && "outline-2 -outline-offset-4 outline-neeli",
          )}
          {...drop.target}
        >
          {session.status === "loading" ? (
            <div className="min-h-0 grow">
              <Skeleton label="Opening the chat" className="mx-auto mt-8 reading-column" />
            </div>
          ) : empty ? (
            <EmptyChat
              onPick={(suggestion) => {
                setText(suggestion);
                control.focusComposer();
              }}
            />
          ) : (
            <Log sessionId={sessionId} session={session} goal={turnId ?? null} sent={sent} />
          )}
          <Composer
            sessionId={sessionId}
            field={field}
            text={text}
            onText={setText}
            attachments={attachments}
            onAttach={attach}
            onDetach={detach}
            attaching={attaching}
            mode={mode}
            onMode={setChosen}
            choice={choice}
            onChoice={choose}
            picking={picking}
            onPicking={setPicking}
            onSend={(delivery) => {
              clear();
              attaching.clear();
              void send(text.trim(), attachments, delivery);
            }}
            running={running}
            stopping={session.stopping}
            onStop={() => {
              if (sessionId !== null) void live.cancel(sessionId);
            }}
            queue={session.queue}
            hasOlder={session.hasOlder}
            lastQuestion={() => lastTurn?.userText ?? null}
          />
          {empty ? <div className="min-h-0 grow-[0.7]" /> : null}
        </section>
      </ChatControlProvider>
    </OpenLinkProvider>
  );
}
