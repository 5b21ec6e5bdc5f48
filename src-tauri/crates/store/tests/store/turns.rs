use crate::support::{
    Home, START, answered, attachment, called, interrupted, new_turn, said, stored_call, succeeded, talk, turn_ids,
};
use namma_core::ports::{AnsweredApproval, Entry, SessionStore, StoreError, StoredTurn};
use namma_core::trust::{Taint, TaintSet, Trust};
use namma_protocol::{
    ApiError, ApprovalDecision, ApprovalId, ApprovalRequest, ApprovalScope, Effect, ErrorCode, Limit, Mode, Preview,
    SessionId, ToolCallId, ToolOutcome, TurnId, TurnOutcome, UnixMs, Usage,
};

fn approval() -> AnsweredApproval {
    AnsweredApproval {
        request: ApprovalRequest {
            approval_id: ApprovalId::from("apr_1"),
            session_id: SessionId::from("ses_1"),
            call_id: ToolCallId::from("call_2"),
            tool: "write_file".to_owned(),
            sentence: "Write `a.txt`".to_owned(),
            reasons: vec!["It changes a file".to_owned()],
            effects: vec![Effect::WriteFile { path: "/tmp/a.txt".to_owned() }],
            preview: Preview::Diff { path: "/tmp/a.txt".to_owned(), diff: "+x".to_owned() },
            input: serde_json::json!({"path": "/tmp/a.txt"}),
            payload_hash: "00ff".to_owned(),
            undo: None,
            scopes: vec![ApprovalScope::Once],
            sandbox: None,
            asked_at: START,
        },
        decision: ApprovalDecision::Decline { note: Some("not there".to_owned()) },
    }
}

fn rich_entries() -> Vec<Entry> {
    let mut broken = stored_call("call_3");
    broken.call.input = serde_json::Value::Null;
    broken.broken_arguments = Some("{\"path\": ".to_owned());
    vec![
        called("I look.\n\u{0}json:{} ", &["call_1", "call_2"]),
        succeeded("call_2"),
        succeeded("call_1"),
        Entry::User { text: "and be quick".to_owned(), attachments: vec![attachment("plan.txt")] },
        Entry::Assistant {
            text: String::new(),
            thinking: "hm".to_owned(),
            calls: vec![broken],
            stopped: false,
            taint: TaintSet::from(Taint::Web),
        },
        Entry::Result {
            call_id: ToolCallId::from("call_3"),
            outcome: ToolOutcome::Declined { reason: "the person said no".to_owned() },
            fact: None,
            duration_ms: u32::MAX,
            approvals: vec![approval()],
            taint: TaintSet::from(Taint::Command).with(Taint::Web),
            whole: None,
        },
        Entry::Assistant {
            text: "Two files. 🙂".to_owned(),
            thinking: String::new(),
            calls: Vec::new(),
            stopped: true,
            taint: TaintSet(u32::MAX),
        },
    ]
}

#[tokio::test]
async fn a_turn_is_read_back_as_it_was_written() {
    let home = Home::new();
    let store = home.store().await;
    let mut turn = new_turn("ses_1", "turn_1", "which files?");
    turn.trust = Trust::Autonomous;
    turn.mode = Mode::Chat;
    let entries = rich_entries();
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &entries[..2], &[]).await.unwrap();
    store.append(&turn.turn_id, &entries[2..], &[]).await.unwrap();
    let usage = Usage {
        input_tokens: 1,
        output_tokens: 2,
        cached_tokens: 3,
        reasoning_tokens: u32::MAX,
        cache_write_tokens: 4,
    };
    let outcome = TurnOutcome::Failed {
        error: ApiError { retry_after_ms: Some(9), ..ApiError::new(ErrorCode::RateLimited, "slow down").hint("Wait.") },
        text: "Two".to_owned(),
    };
    let at = UnixMs(START.0 + 900);
    store.finish_turn(&turn.turn_id, &outcome, &[crate::support::spent(usage)], at).await.unwrap();
    store.close().await;

    let store = home.store().await;
    let expected =
        StoredTurn { turn, entries, usage, cost_micros: None, outcome: Some(outcome), finished_at: Some(at) };
    assert_eq!(store.turns(&SessionId::from("ses_1"), None, 10).await.unwrap(), vec![expected]);
}

#[tokio::test]
async fn every_outcome_is_read_back() {
    let home = Home::new();
    let store = home.store().await;
    let outcomes = [
        answered("a"),
        TurnOutcome::Cancelled { text: "b".to_owned() },
        TurnOutcome::LimitReached { limit: Limit::Steps, text: "c".to_owned() },
        TurnOutcome::Interrupted { text: "d".to_owned() },
    ];
    for (number, outcome) in outcomes.iter().enumerate() {
        let turn = new_turn("ses_1", &format!("turn_{number}"), "go on");
        store.begin_turn(&turn).await.unwrap();
        store.finish_turn(&turn.turn_id, outcome, &[], START).await.unwrap();
    }
    let turns = store.turns(&SessionId::from("ses_1"), None, 10).await.unwrap();
    let read: Vec<TurnOutcome> = turns.into_iter().filter_map(|turn| turn.outcome).collect();
    assert_eq!(read, outcomes);
}

#[tokio::test]
async fn a_running_turn_has_no_outcome() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "hello");
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &[called("", &["call_1"])], &[]).await.unwrap();
    let expected = StoredTurn {
        turn,
        entries: vec![called("", &["call_1"])],
        usage: Usage::default(),
        cost_micros: None,
        outcome: None,
        finished_at: None,
    };
    assert_eq!(store.turns(&SessionId::from("ses_1"), None, 10).await.unwrap(), vec![expected]);
}

#[tokio::test]
async fn turns_come_in_pages_oldest_first() {
    let home = Home::new();
    let store = home.store().await;
    for number in 0..7 {
        talk(&store, "ses_1", &format!("turn_{number}"), "q", "a").await;
    }
    talk(&store, "ses_2", "turn_x", "q", "a").await;
    let session = SessionId::from("ses_1");
    let mut pages = Vec::new();
    let mut before = None;
    loop {
        let page = store.turns(&session, before.as_ref(), 3).await.unwrap();
        let Some(first) = page.first() else { break };
        before = Some(first.turn.turn_id.clone());
        pages.push(page.iter().map(|turn| turn.turn.turn_id.0.clone()).collect::<Vec<_>>());
    }
    assert_eq!(pages, vec![vec!["turn_4", "turn_5", "turn_6"], vec!["turn_1", "turn_2", "turn_3"], vec!["turn_0"]]);
    assert_eq!(store.turns(&session, None, 0).await.unwrap(), vec![]);
}

#[tokio::test]
async fn a_cursor_of_another_chat_is_refused() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "q", "a").await;
    talk(&store, "ses_2", "turn_2", "q", "a").await;
    let refused = store.turns(&SessionId::from("ses_1"), Some(&TurnId::from("turn_2")), 5).await.unwrap_err();
    assert!(matches!(refused, StoreError::NotFound { .. }), "{refused}");
}

#[tokio::test]
async fn an_unknown_chat_has_no_turns() {
    let home = Home::new();
    let store = home.store().await;
    assert_eq!(turn_ids(&store, "ses_never").await, Vec::<String>::new());
}

#[tokio::test]
async fn a_second_turn_in_a_busy_chat_is_refused() {
    let home = Home::new();
    let store = home.store().await;
    store.begin_turn(&new_turn("ses_1", "turn_1", "first")).await.unwrap();
    let refused = store.begin_turn(&new_turn("ses_1", "turn_2", "second")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Busy), "{refused}");
    assert_eq!(turn_ids(&store, "ses_1").await, vec!["turn_1"], "the refused message is not kept");
    store.begin_turn(&new_turn("ses_2", "turn_3", "another chat")).await.unwrap();
}

#[tokio::test]
async fn a_call_gets_one_result() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &[called("", &["call_1"]), succeeded("call_1")], &[]).await.unwrap();
    store.append(&turn.turn_id, &[succeeded("call_1")], &[]).await.unwrap_err();
    store.append(&turn.turn_id, &[said("x"), succeeded("call_unknown")], &[]).await.unwrap_err();
    let turns = store.turns(&turn.session_id, None, 1).await.unwrap();
    assert_eq!(turns[0].entries, vec![called("", &["call_1"]), succeeded("call_1")], "all or nothing is appended");
}

#[tokio::test]
async fn an_empty_assistant_message_is_not_kept() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "hello");
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &[said(" \n")], &[]).await.unwrap_err();
    assert_eq!(store.turns(&turn.session_id, None, 1).await.unwrap()[0].entries, vec![]);
}

#[tokio::test]
async fn a_finished_turn_takes_nothing_more() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "q", "a").await;
    let turn = TurnId::from("turn_1");
    store.append(&turn, &[said("more")], &[]).await.unwrap_err();
    store.save_partial(&turn, "more").await.unwrap_err();
    store.finish_turn(&turn, &answered("again"), &[], START).await.unwrap_err();
    let turns = store.turns(&SessionId::from("ses_1"), None, 1).await.unwrap();
    assert_eq!((turns[0].entries.clone(), turns[0].outcome.clone()), (vec![said("a")], Some(answered("a"))));
}

#[tokio::test]
async fn finishing_closes_open_calls() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &[called("", &["call_1", "call_2"]), succeeded("call_2")], &[]).await.unwrap();
    let outcome = TurnOutcome::Cancelled { text: String::new() };
    store.finish_turn(&turn.turn_id, &outcome, &[], UnixMs(START.0 + 105)).await.unwrap();
    let turns = store.turns(&turn.session_id, None, 1).await.unwrap();
    let expected = vec![called("", &["call_1", "call_2"]), succeeded("call_2"), interrupted("call_1", 100)];
    assert_eq!(turns[0].entries, expected);
}
