import type {
  AdditionPart,
  ContinuedPart,
  NoticePart,
  StepPart,
  TextPart,
  ThinkingPart,
  TurnPart,
  TurnView,
} from "@/state";

/** What stands below each other in a turn, in true order. */
export type Group =
  | { kind: "thread"; key: string; rows: readonly (StepPart | ThinkingPart)[] }
  | { kind: "text"; key: string; part: TextPart }
  | { kind: "notice"; key: string; part: NoticePart }
  | { kind: "continued"; key: string; part: ContinuedPart }
  | { kind: "addition"; key: string; part: AdditionPart };

export function groupsOf(parts: readonly TurnPart[]): readonly Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.kind === "step" || part.kind === "thinking") {
      if (last?.kind === "thread") groups[groups.length - 1] = { ...last, rows: [...last.rows, part] };
      else groups.push({ kind: "thread", key: part.id, rows: [part] });
    } else if (part.kind === "text") {
      if (part.text.trim() !== "" || !part.ended) groups.push({ kind: "text", key: part.id, part });
    } else if (part.kind === "notice") groups.push({ kind: "notice", key: part.id, part });
    else if (part.kind === "continued") groups.push({ kind: "continued", key: part.id, part });
    else groups.push({ kind: "addition", key: part.id, part });
  }
  return groups;
}

/** The question that waits longest: the only one whose card is open. */
export function openQuestion(view: TurnView): StepPart | null {
  const step = view.parts.find((part) => part.kind === "step" && part.approval?.answer.type === "waiting");
  return step?.kind === "step" ? step : null;
}

/** Whether the turn works on something that the page does not show otherwise. */
export function isQuiet(view: TurnView): boolean {
  if (view.outcome !== null) return false;
  const last = view.parts.at(-1);
  if (!last || last.kind === "notice" || last.kind === "continued" || last.kind === "addition") return true;
  if (last.kind === "step") return view.parts.every((part) => part.kind !== "step" || part.outcome !== null);
  return last.ended;
}
