use crate::support::{Home, START, answered, called, interrupted, new_turn, said, succeeded, turn_ids};
use namma_core::ports::{Entry, SessionStore, StoreError};
use namma_core::trust::TaintSet;
use namma_protocol::{TurnId, TurnOutcome, UnixMs};
use namma_store::Store;

fn stopped(text: &str) -> Entry {
    Entry::Assistant {
        text: text.to_owned(),
        thinking: String::new(),
        calls: Vec::new(),
        stopped: true,
        taint: TaintSet::CLEAN,
    }
}

/// A turn in the middle of its second step when its program ends.
async fn cut_off(store: &Store, home: &Home) {
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    home.clock.advance(105);
    store.append(&turn.turn_id, &[called("", &["call_1", "call_2"]), succeeded("call_1")], &[]).await.unwrap();
}

#[tokio::test]
async fn a_turn_of_a_dead_program_is_closed_at_the_next_start() {
    let home = Home::new();
    let store = home.store().await;
    cut_off(&store, &home).await;
    store.save_partial(&TurnId::from("turn_1"), "There are").await.unwrap();
    store.save_partial(&TurnId::from("turn_1"), "There are two ").await.unwrap();
    store.close().await;
    drop(store);

    let opened = home.open().await;
    assert_eq!(opened.interrupted, vec![TurnId::from("turn_1")]);
    let turns = opened.store.turns(&"ses_1".into(), None, 1).await.unwrap();
    let entries = vec![
        called("", &["call_1", "call_2"]),
        succeeded("call_1"),
        interrupted("call_2", 100),
        stopped("There are two "),
    ];
    assert_eq!(turns[0].entries, entries);
    assert_eq!(turns[0].outcome, Some(TurnOutcome::Interrupted { text: "There are two ".to_owned() }));
    assert_eq!(turns[0].finished_at, Some(UnixMs(START.0 + 105)), "it ended with its last sign of life");
    assert_eq!(home.open().await.interrupted, vec![], "it is closed once");
}

#[tokio::test]
async fn appending_forgets_the_partial_text() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    store.save_partial(&turn.turn_id, "Hel").await.unwrap();
    store.append(&turn.turn_id, &[said("Hello")], &[]).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.turns(&turn.session_id, None, 1).await.unwrap()[0].entries, vec![said("Hello")]);
}

#[tokio::test]
async fn reading_closes_a_turn_whose_program_died() {
    let home = Home::new();
    let other = home.store().await;
    let store = home.store().await;
    cut_off(&other, &home).await;
    let running = store.turns(&"ses_1".into(), None, 1).await.unwrap();
    assert_eq!(running[0].outcome, None, "the other program lives");
    drop(other);
    let closed = store.turns(&"ses_1".into(), None, 1).await.unwrap();
    assert_eq!(closed[0].outcome, Some(TurnOutcome::Interrupted { text: String::new() }));
    let entries = vec![called("", &["call_1", "call_2"]), succeeded("call_1"), interrupted("call_2", 100)];
    assert_eq!(closed[0].entries, entries, "no empty message is made of no text");
}

#[tokio::test]
async fn a_turn_of_a_living_program_is_busy_and_of_a_dead_one_is_not() {
    let home = Home::new();
    let other = home.store().await;
    let store = home.store().await;
    cut_off(&other, &home).await;
    let refused = store.begin_turn(&new_turn("ses_1", "turn_2", "me too")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Busy), "{refused}");
    drop(other);
    store.begin_turn(&new_turn("ses_1", "turn_2", "me too")).await.unwrap();
    assert_eq!(turn_ids(&store, "ses_1").await, vec!["turn_1", "turn_2"]);
    let turns = store.turns(&"ses_1".into(), None, 2).await.unwrap();
    assert_eq!(turns[0].outcome, Some(TurnOutcome::Interrupted { text: String::new() }));
}

#[tokio::test]
async fn a_turn_whose_end_could_not_be_written_does_not_block_the_chat() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "look");
    store.begin_turn(&turn).await.unwrap();
    // The disk refuses this one write.
    let refuse = "create trigger refuse before update of outcome on turns begin select raise(abort, 'no'); end";
    crate::support::execute(&home.path(), refuse).await;
    store.finish_turn(&turn.turn_id, &answered("a"), &[], START).await.unwrap_err();
    crate::support::execute(&home.path(), "drop trigger refuse").await;
    store.begin_turn(&new_turn("ses_1", "turn_2", "again")).await.unwrap();
    let turns = store.turns(&"ses_1".into(), None, 2).await.unwrap();
    assert_eq!(turns[0].outcome, Some(TurnOutcome::Interrupted { text: String::new() }));
}

#[tokio::test]
async fn the_partial_text_of_an_interrupted_turn_is_found() {
    let home = Home::new();
    let store = home.store().await;
    let turn = new_turn("ses_1", "turn_1", "hello");
    store.begin_turn(&turn).await.unwrap();
    store.save_partial(&turn.turn_id, "the lighthouse keeper").await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.search("lighthouse", 5).await.unwrap().len(), 1);
}
