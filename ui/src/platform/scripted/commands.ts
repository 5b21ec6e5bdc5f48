import type { SearchHit, SessionSummary, StartState, TurnEvent } from "@/protocol/bindings";
import type { Json } from "@/protocol/json";
import { apiError } from "../apiError";
import type { Platform } from "../platform";
import { connectionCommands } from "./connections";
import type { ScriptedCore } from "./core";
import { draftOf, keepFile } from "./files";
import { localCommands } from "./localModels";
import { isSpent, usageSince } from "./spending";
import type { CoreSession } from "./state";

/** Makes a command of what the core does. */
export type MakeCommand = <A extends unknown[], R>(
  name: string,
  run: (...args: A) => R,
) => (...args: A) => Promise<R>;

/** The commands of the contract, answered by the scripted core. Each call is noted in `calls`. */
export function scriptedCommands(
  core: ScriptedCore,
  calls: { command: string; args: unknown[] }[],
  start: StartState,
): Platform {
  /** A command: enters the core, and answers a moment later as a real one does. */
  const command: MakeCommand = (name, run) => {
    return async (...args) => {
      calls.push({ command: name, args: structuredClone(args) });
      await Promise.resolve();
      core.enter(name);
      const answer = structuredClone(run(...args));
      const held = core.held(name);
      if (held) await held;
      return answer;
    };
  };

  return {
    startState: command("start_state", () => start),
    startAgain: command("start_again", (): StartState => ({ ...start, failure: null })),
    quit: command("app_quit", () => {}),
    sessionList: command("session_list", () =>
      core
        .state()
        .sessions.filter((item) => !item.deleted)
        .map(summary)
        .sort((a, b) => b.updatedAt - a.updatedAt),
    ),
    sessionOpen: command("session_open", ({ sessionId, before, limit }) => {
      const target = core.session(sessionId);
      const end = before === null ? target.turns.length : target.turns.findIndex((t) => t.turnId === before);
      const start = Math.max(0, end - limit);
      return {
        session: summary(target),
        turns: target.turns.slice(start, end).map((t) => ({ ...t, events: joinDeltas(t.events) })),
        hasOlder: start > 0,
        lastSeq: target.seq,
        queue: target.queue.map(({ queuedId, text, attachments }) => ({ queuedId, text, attachments })),
        draft: draftOf(core, sessionId).text,
        draftAttachments: draftOf(core, sessionId).attachments,
        chosenModel: target.chosenModel,
        chosenThink: target.chosenThink,
      };
    }),
    sessionRename: command("session_rename", (sessionId, title) => {
      if (title.trim() === "") throw apiError("invalidInput", "a title needs at least one letter");
      core.session(sessionId).title = title.trim();
      core.changed("sessions");
    }),
    sessionDelete: command("session_delete", (sessionId) => {
      const target = core.session(sessionId);
      core.end(target, "cancelled");
      target.deleted = true;
      core.changed("sessions");
    }),
    sessionRestore: command("session_restore", (sessionId) => {
      const target = core.state().sessions.find((item) => item.sessionId === sessionId);
      if (!target) throw apiError("notFound", "bring that chat back");
      target.deleted = false;
      core.changed("sessions");
    }),
    sessionChoose: command("session_choose", ({ sessionId, model, think }) => {
      const target = core.session(sessionId);
      target.chosenModel = model;
      target.chosenThink = think;
    }),
    sessionSearch: command("session_search", (query, limit) => search(core, query, limit)),
    turnSend: command(
      "turn_send",
      ({ sessionId, text, attachments, mode, model, allowSpending, delivery }) => {
        const title = text.trim() === "" ? attachments.map(({ name }) => name).join(", ") : text;
        const target = sessionId === null ? newSession(core, title) : core.session(sessionId);
        const answer = { sessionId: target.sessionId, turnId: null, queuedId: null };
        if (!target.running) {
          if (!allowSpending && isSpent(core.state(), core.now())) core.stopAtLimit();
          return { ...answer, turnId: core.start(target, { text, attachments }, mode, model) };
        }
        if (delivery === "steer") {
          core.emit(target, target.running.turnId, { type: "userMessageAdded", text, attachments });
          return { ...answer, turnId: target.running.turnId };
        }
        const queuedId = core.freshId("que");
        target.queue.push({ queuedId, text, attachments, mode, model });
        return { ...answer, queuedId };
      },
    ),
    turnCancel: command("turn_cancel", (sessionId) => core.end(core.session(sessionId), "cancelled")),
    turnRetry: command("turn_retry", (sessionId) => {
      const target = core.session(sessionId);
      if (target.running) throw apiError("busy", "ask again while a turn runs");
      const started = target.turns.at(-1)?.events.find((event) => event.type === "turnStarted");
      if (started?.type !== "turnStarted") throw apiError("notFound", "find a question to ask again");
      const asked = { text: started.userText, attachments: started.attachments };
      const turnId = core.start(target, asked, started.mode, null);
      return { sessionId, turnId, queuedId: null };
    }),
    turnEventsSince: command("turn_events_since", (sessionId, seq) => {
      const { log, seq: last } = core.session(sessionId);
      const first = log[0]?.seq ?? last + 1;
      const reopen = seq > last || seq + 1 < first;
      return { events: reopen ? [] : log.filter((envelope) => envelope.seq > seq), reopen };
    }),
    queueRemove: command("queue_remove", (sessionId, queuedId) => {
      const target = core.session(sessionId);
      target.queue = target.queue.filter((item) => item.queuedId !== queuedId);
    }),
    queueSendNow: command("queue_send_now", (sessionId, queuedId) => {
      const target = core.session(sessionId);
      const item = target.queue.find((queued) => queued.queuedId === queuedId);
      if (!item) throw apiError("notFound", "send that now");
      target.queue = target.queue.filter((queued) => queued !== item);
      const { text, attachments } = item;
      if (target.running)
        core.emit(target, target.running.turnId, { type: "userMessageAdded", text, attachments });
      else core.start(target, item, item.mode, item.model);
    }),
    approvalResolve: command("approval_resolve", ({ approvalId, payloadHash, decision }) => {
      const { target, ask } = core.pendingAsk(approvalId);
      const running = target.running;
      if (!running) return;
      const changed = core.takeTampered(approvalId);
      if (changed || payloadHash !== ask.request.payloadHash) {
        running.left[0] = changed ?? ask;
        core.advance(target);
        throw apiError("approvalChanged", "run what was approved: it is no longer the same");
      }
      running.left = decision.type === "allow" ? running.left.slice(1) : [...ask.instead];
      const { callId } = ask.request;
      core.emit(target, running.turnId, { type: "approvalResolved", approvalId, callId, decision });
      core.changed("sessions");
      core.advance(target);
    }),
    draftSave: command("draft_save", (sessionId, draft) => {
      core.state().drafts[sessionId ?? ""] = draft;
    }),
    draftGet: command("draft_get", (sessionId) => draftOf(core, sessionId)),
    attachmentAdd: command("attachment_add", (request) => keepFile(core, request)),
    attachmentGet: command("attachment_get", (fileId) => {
      const file = core.state().files[fileId];
      if (!file) throw apiError("notFound", "this file is no longer kept");
      return file;
    }),
    ...connectionCommands(core, command),
    ...localCommands(core, command),
    usageByDay: command("usage_by_day", (days) => usageSince(core.state(), core.now(), days)),
    settingsGet: command("settings_get", () => core.state().settings),
    settingsSet: command("settings_set", ({ key, value }) => {
      const field = settingFields[key];
      if (!field) throw apiError("configInvalid", `there is no setting ${key}`);
      const kept = key.startsWith("spending.") ? limitWords(key, value) : value;
      core.state().settings = { ...core.state().settings, [field]: kept };
      core.changed("settings");
    }),
    statusChecks: command("status_checks", () => [
      {
        name: "provider",
        state: core.state().provider.ready ? "ok" : "failed",
        detail: core.state().provider.ready
          ? `${core.state().provider.label} answers with ${core.state().provider.model}`
          : "No model is set up",
        fix: core.state().provider.ready ? null : "Add a provider in Settings.",
      },
      { name: "database", state: "ok", detail: "Opened and checked", fix: null },
      { name: "vault", state: "ok", detail: "The system's vault is in use", fix: null },
      {
        name: "sandbox",
        state: "degraded",
        detail: "Landlock, without bubblewrap",
        fix: "Install bubblewrap.",
      },
    ]),
    linkOpen: command("link_open", () => undefined),
    subscribe: async (onBatch) => core.subscribe(onBatch),
    onConnection: (listener) => core.onConnection(listener),
  };
}

/** The settings that the interface may change, by their dotted key. */
const settingFields: Readonly<Record<string, string>> = {
  "assistant.name": "assistantName",
  "assistant.user_name": "userName",
  "ui.theme": "theme",
  "ui.send_with_enter": "sendWithEnter",
  "conversation.default_mode": "mode",
  "security.approvals": "approvals",
  "conversation.think": "think",
  "spending.per_turn": "spendingPerTurn",
  "spending.per_day": "spendingPerDay",
  "spending.per_month": "spendingPerMonth",
};

/** A limit as the settings show it; `null` is none. */
function limitWords(key: string, value: Json): string {
  if (value === null) return "";
  if (typeof value !== "number" || value < 0) {
    throw apiError("configInvalid", `\`${key}\` must be a number of US dollars`);
  }
  return String(value);
}

function summary(target: CoreSession): SessionSummary {
  return {
    sessionId: target.sessionId,
    title: target.title,
    createdAt: target.createdAt,
    updatedAt: target.updatedAt,
    turnCount: target.turns.length,
    running: target.running !== null,
    waiting: target.running?.left[0]?.do === "ask",
  };
}

function newSession(core: ScriptedCore, text: string): CoreSession {
  const created: CoreSession = {
    sessionId: core.freshId("ses"),
    title: text.trim().split("\n")[0]?.slice(0, 60) ?? "",
    createdAt: core.now(),
    updatedAt: core.now(),
    deleted: false,
    turns: [],
    queue: [],
    seq: 0,
    log: [],
    running: null,
    chosenModel: null,
    chosenThink: null,
  };
  core.state().sessions.push(created);
  return created;
}

/** Stored turns are told with their deltas joined. */
export function joinDeltas(events: readonly TurnEvent[]): TurnEvent[] {
  const joined: TurnEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if ((event.type === "textDelta" || event.type === "thinkingDelta") && last?.type === event.type) {
      joined[joined.length - 1] = { type: event.type, text: last.text + event.text };
    } else joined.push(event);
  }
  return joined;
}

function search(core: ScriptedCore, query: string, limit: number): SearchHit[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits: SearchHit[] = [];
  for (const target of core.state().sessions.filter((item) => !item.deleted)) {
    for (const turn of target.turns) {
      for (const { role, text } of spoken(joinDeltas(turn.events))) {
        const lower = text.toLocaleLowerCase();
        if (!words.every((word) => lower.includes(word))) continue;
        const at = Math.max(0, lower.indexOf(words[0] ?? "") - 40);
        hits.push({
          sessionId: target.sessionId,
          sessionTitle: target.title,
          turnId: turn.turnId,
          messageId: `${turn.turnId}-${role}`,
          role,
          excerpt: text.slice(at, at + 160),
          createdAt: target.updatedAt,
        });
      }
    }
  }
  return hits.slice(0, limit);
}

function spoken(events: readonly TurnEvent[]): { role: string; text: string }[] {
  return events.flatMap((event) => {
    if (event.type === "turnStarted") return [{ role: "user", text: event.userText }];
    if (event.type === "textDelta") return [{ role: "assistant", text: event.text }];
    return [];
  });
}
