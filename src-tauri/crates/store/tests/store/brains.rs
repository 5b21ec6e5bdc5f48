//! What is kept beside the chats: who answered, how that went, what it cost, and results in full.

use crate::support::{Home, START, answered, called, execute, new_turn, said, succeeded, talk};
use namma_core::ports::{Entry, Results, SessionStore, Spent, WholeResult};
use namma_core::trust::{Taint, TaintSet};
use namma_protocol::{ApiError, ErrorCode, SessionId, ThinkLevel, ToolCallId, ToolOutcome, TurnId, UnixMs, Usage};
use namma_store::{Choice, ConnectionHealth, DAY_MS};

fn continued(model: &str) -> Entry {
    Entry::ContinuedWith {
        label: "Ollama".to_owned(),
        model: model.to_owned(),
        reasons: vec!["It had to wait.".to_owned(), "It cannot use tools.".to_owned()],
    }
}

/// A dollar for each token that went in.
fn dollars(model: &str, tokens: u32) -> Spent {
    let usage = Usage { input_tokens: tokens, ..Usage::default() };
    Spent { model: model.to_owned(), usage, cost_nanos: Some(u64::from(tokens) * 1_000_000_000) }
}

fn with_whole(call: &str, content: &str, whole: &str) -> Entry {
    Entry::Result {
        call_id: ToolCallId::from(call),
        outcome: ToolOutcome::Succeeded { content: content.to_owned() },
        fact: None,
        duration_ms: 1,
        approvals: Vec::new(),
        taint: Taint::Web.into(),
        whole: Some(whole.to_owned()),
    }
}

#[tokio::test]
async fn whoever_took_over_is_read_back_at_its_place() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    let entries =
        [continued("first"), called("", &["call_1"]), continued("second"), succeeded("call_1"), said("Done.")];
    for entry in &entries {
        store.append(&turn.turn_id, std::slice::from_ref(entry), &[]).await.unwrap();
    }
    assert_eq!(store.turns(&turn.session_id, None, 1).await.unwrap()[0].entries, entries);
}

#[tokio::test]
async fn a_result_is_kept_whole_for_its_own_chat() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "read");
    store.begin_turn(&turn).await.unwrap();
    let entries = [called("", &["call_1", "call_2"]), with_whole("call_1", "short", "long"), succeeded("call_2")];
    store.append(&turn.turn_id, &entries, &[]).await.unwrap();
    let whole = async |session: &str, call: &str| {
        store.whole(&SessionId::from(session), &ToolCallId::from(call)).await.unwrap()
    };
    let long = WholeResult { content: "long".to_owned(), taint: Taint::Web.into() };
    assert_eq!(whole("ses_1", "call_1").await, Some(long));
    let content = match succeeded("call_2") {
        Entry::Result { outcome: ToolOutcome::Succeeded { content }, .. } => content,
        other => panic!("{other:?}"),
    };
    assert_eq!(whole("ses_1", "call_2").await, Some(WholeResult { content, taint: TaintSet::CLEAN }));
    assert_eq!(whole("ses_2", "call_1").await, None, "another chat has no business with it");
    assert_eq!(whole("ses_1", "call_3").await, None);
}

#[tokio::test]
async fn a_chat_keeps_what_it_was_set_to() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "hi", "Hello.").await;
    let (here, nowhere) = (SessionId::from("ses_1"), SessionId::from("ses_2"));
    assert_eq!(store.session_choice(&here).await.unwrap(), Choice::default());
    let choice = Choice { model: Some("work/m".to_owned()), think: Some(ThinkLevel::Low) };
    store.session_choose(&here, &choice).await.unwrap();
    assert_eq!(store.session_choice(&here).await.unwrap(), choice);
    assert_eq!(store.session_choice(&nowhere).await.unwrap(), Choice::default());
    store.session_choose(&nowhere, &choice).await.unwrap_err();
}

#[tokio::test]
async fn how_a_connection_did_is_known_after_a_restart_until_it_is_forgotten() {
    let home = Home::new();
    let store = home.store().await;
    let health = |failures| ConnectionHealth {
        name: "main".to_owned(),
        failures,
        error: ApiError::new(ErrorCode::ServerFailed, "failed").hint("Wait."),
        failed_at: START,
        rests_until: UnixMs(START.0 + 1),
    };
    store.keep_connection_health(&health(1)).await.unwrap();
    store.keep_connection_health(&health(2)).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.connection_health().await.unwrap(), [health(2)]);
    store.forget_connection_health("main").await.unwrap();
    assert_eq!(store.connection_health().await.unwrap(), []);
}

#[tokio::test]
async fn money_is_counted_from_a_day_on() {
    let home = Home::new();
    let store = home.store().await;
    let today = START.0 / DAY_MS;
    for (turn, at) in [("turn_1", START.0 - DAY_MS), ("turn_2", START.0)] {
        store.begin_turn(&new_turn("ses_1", turn, "q")).await.unwrap();
        store.finish_turn(&TurnId::from(turn), &answered("a"), &[dollars("m", 3)], UnixMs(at)).await.unwrap();
    }
    assert_eq!(store.spent_since(today).await.unwrap(), 3_000_000_000);
    assert_eq!(store.spent_since(today - 1).await.unwrap(), 6_000_000_000);
    assert_eq!(store.spent_since(today + 1).await.unwrap(), 0);
}

#[tokio::test]
async fn what_a_turn_had_cost_is_counted_even_when_its_program_dies() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    let call = [called("", &["call_1"])];
    store.append(&turn.turn_id, &call, &[dollars("dear", 2)]).await.unwrap();
    let spent = [dollars("dear", 2), dollars("other", 5)];
    store.append(&turn.turn_id, &[succeeded("call_1")], &spent).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.spent_since(0).await.unwrap(), 7_000_000_000);
    let used = store.usage(10_000).await.unwrap();
    let by_model: Vec<(&str, i64)> = used.iter().map(|one| (one.model.as_str(), one.used.input_tokens)).collect();
    assert_eq!(by_model, [("dear", 2), ("other", 5)]);
    let turn = &store.turns(&turn.session_id, None, 1).await.unwrap()[0];
    assert_eq!((turn.usage.input_tokens, turn.cost_micros), (7, Some(7_000_000)));
}

#[tokio::test]
async fn chats_are_listed_by_what_they_cost() {
    let home = Home::new();
    let store = home.store().await;
    for (session, turn, tokens) in [("ses_1", "turn_1", 1), ("ses_2", "turn_2", 5), ("ses_1", "turn_3", 2)] {
        store.begin_turn(&new_turn(session, turn, &format!("question of {session}"))).await.unwrap();
        store.finish_turn(&TurnId::from(turn), &answered("a"), &[dollars("m", tokens)], START).await.unwrap();
    }
    let of = async || {
        let listed = store.usage_by_chat(10_000).await.unwrap();
        listed.into_iter().map(|one| (one.title, one.used.turns, one.used.cost_nanos)).collect::<Vec<_>>()
    };
    let (first, second) = ("question of ses_1".to_owned(), "question of ses_2".to_owned());
    assert_eq!(of().await, [(second, 1, 5_000_000_000), (first.clone(), 2, 3_000_000_000)]);
    store.session_delete(&SessionId::from("ses_2")).await.unwrap();
    assert_eq!(of().await, [(first, 2, 3_000_000_000)]);
    home.clock.advance(DAY_MS * 2);
    assert_eq!(store.usage_by_chat(1).await.unwrap(), []);
}

#[tokio::test]
async fn after_damage_no_call_gets_the_result_of_another() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "read");
    store.begin_turn(&turn).await.unwrap();
    let entries = [continued("m"), called("", &["call_1"]), with_whole("call_1", "short", "somebody's letter")];
    store.append(&turn.turn_id, &entries, &[]).await.unwrap();
    store.finish_turn(&turn.turn_id, &answered(""), &[], START).await.unwrap();
    store.close().await;
    drop(store);
    // The rows above are lost, and the header with them.
    let lost = "pragma foreign_keys = off; delete from tool_calls; delete from messages; delete from turns;";
    execute(&home.path(), lost).await;
    crate::damage::overwrite(&home, 0, &[0xa5; 100]);
    let store = home.open().await.store;
    let turn = new_turn("ses_2", "turn_2", "read");
    store.begin_turn(&turn).await.unwrap();
    let entries = [called("", &["call_2"]), with_whole("call_2", "short", "mine")];
    store.append(&turn.turn_id, &entries, &[]).await.unwrap();
    let whole = store.whole(&turn.session_id, &ToolCallId::from("call_2")).await.unwrap().unwrap();
    assert_eq!(whole.content, "mine");
    assert_eq!(store.turns(&turn.session_id, None, 1).await.unwrap()[0].entries.len(), 2);
}
