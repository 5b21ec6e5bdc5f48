import { memo, useMemo } from "react";
import { Markdown } from "@/lib/markdown";
import { answering, useModelAsked, useQuestion, useTurn } from "@/state";
import { ApprovalCard } from "../approval/ApprovalCard";
import { questionWords } from "../attachments/limits";
import { ActionRow } from "./ActionRow";
import { isFolded } from "./attempts";
import { Bubble } from "./Bubble";
import { EarlierTry } from "./EarlierTry";
import { type Group, groupsOf, isQuiet, openQuestion } from "./groups";
import { ModelDivider } from "./ModelDivider";
import { NoticeLine } from "./NoticeLine";
import { OutcomeLine } from "./OutcomeLine";
import { Thread } from "./Thread";
import { WaitingLine } from "./WaitingLine";

type Props = {
  sessionId: string;
  turnId: string;
  /** The turns beside it. */
  previousId: string | null;
  nextId: string | null;
  position: number;
  count: number;
  latest: boolean;
};

/** One question and all the work it started. */
export const Turn = memo(function Turn(props: Props) {
  const { sessionId, turnId, previousId, nextId, position, count, latest } = props;
  const view = useTurn(sessionId, turnId);
  const nextQuestion = useQuestion(sessionId, nextId);
  const modelBefore = useModelAsked(sessionId, previousId);
  const parts = view?.parts;
  const groups = useMemo(() => groupsOf(parts ?? []), [parts]);
  if (!view) return null;
  if (isFolded(view, nextQuestion)) {
    const { error } = view.outcome;
    return (
      <EarlierTry turnId={turnId} at={view.startedAt} code={error.code} position={position} count={count} />
    );
  }

  const running = view.outcome === null;
  const question = running ? openQuestion(view) : null;
  const asksIn = groups.find(
    (group) => group.kind === "thread" && group.rows.some((row) => row.id === question?.id),
  );
  const show = (group: Group) => {
    switch (group.kind) {
      case "thread":
        return <Thread turnId={turnId} rows={group.rows} running={running} />;
      case "text":
        return <Markdown text={group.part.text} growing={running && !group.part.ended} />;
      case "notice":
        return <NoticeLine part={group.part} current={running && group === groups.at(-1)} />;
      case "continued": {
        const { label, model, reasons } = group.part;
        return <ModelDivider label={label} model={model} reasons={reasons} />;
      }
      case "addition":
        return <Bubble text={group.part.text} attachments={group.part.attachments} />;
    }
  };
  return (
    <article
      aria-posinset={position}
      aria-setsize={count}
      aria-busy={running || undefined}
      aria-labelledby={`${turnId}-name`}
      data-turn={turnId}
      className="flex flex-col gap-5.5"
    >
      <h2 id={`${turnId}-name`} className="sr-only">
        You asked: {questionWords(view.userText, view.attachments).slice(0, 120)}
      </h2>
      {modelBefore !== null && modelBefore !== view.model ? <ModelDivider model={view.model} /> : null}
      <Bubble text={view.userText} attachments={view.attachments} />
      <div className="flex min-w-0 flex-col gap-3.5">
        {groups.map((group) => (
          <div key={group.key} className="contents">
            {show(group)}
            {group === asksIn && question?.approval ? (
              <ApprovalCard
                key={question.approval.request.approvalId}
                request={question.approval.request}
                askedAgain={question.approval.askedAgain}
              />
            ) : null}
          </div>
        ))}
        {isQuiet(view) ? (
          <WaitingLine
            key={view.parts.length}
            sessionId={sessionId}
            model={answering(view)}
            first={groups.length === 0}
          />
        ) : null}
        <OutcomeLine sessionId={sessionId} view={view} latest={latest} />
        {running ? null : <ActionRow sessionId={sessionId} view={view} latest={latest} />}
      </div>
    </article>
  );
});
