use crate::support::{Home, START, answered, attachment, new_turn};
use namma_core::ports::SessionStore;
use namma_protocol::{Mode, QueuedId, SessionId, ThinkLevel, TurnId};
use namma_store::{QueuedTurn, Store};

fn waiting(id: &str, text: &str) -> QueuedTurn {
    QueuedTurn {
        queued_id: QueuedId::from(id),
        session_id: SessionId::from("ses_1"),
        text: text.to_owned(),
        attachments: Vec::new(),
        mode: Mode::Chat,
        model: Some("other".to_owned()),
        think: Some(ThinkLevel::High),
        allow_spending: true,
        queued_at: START,
    }
}

async fn texts(store: &Store) -> Vec<String> {
    let listed = store.queue_list(&SessionId::from("ses_1")).await.unwrap();
    listed.into_iter().map(|queued| queued.text).collect()
}

#[tokio::test]
async fn the_queue_is_read_back_in_order_after_a_restart() {
    let home = Home::new();
    let store = home.store().await;
    store.queue_push(&waiting("que_1", "first")).await.unwrap();
    store.queue_push(&waiting("que_2", "second")).await.unwrap();
    drop(store);
    let store = home.store().await;
    let listed = store.queue_list(&SessionId::from("ses_1")).await.unwrap();
    assert_eq!(listed, vec![waiting("que_1", "first"), waiting("que_2", "second")]);
    assert_eq!(store.queue_list(&SessionId::from("ses_2")).await.unwrap(), vec![]);
}

#[tokio::test]
async fn a_removed_message_is_gone() {
    let home = Home::new();
    let store = home.store().await;
    store.queue_push(&waiting("que_1", "first")).await.unwrap();
    store.queue_remove(&QueuedId::from("que_1")).await.unwrap();
    assert_eq!(texts(&store).await, Vec::<String>::new());
    store.queue_remove(&QueuedId::from("que_1")).await.unwrap_err();
}

#[tokio::test]
async fn a_popped_message_leaves_with_the_turn_that_carries_it() {
    let home = Home::new();
    let store = home.store().await;
    store.queue_push(&waiting("que_1", "same")).await.unwrap();
    store.queue_push(&waiting("que_2", "same")).await.unwrap();
    let popped = store.queue_pop(&SessionId::from("ses_1")).await.unwrap();
    assert_eq!(popped, Some(waiting("que_1", "same")));
    assert_eq!(texts(&store).await, vec!["same"], "a popped message does not wait");
    store.begin_turn(&new_turn("ses_1", "turn_1", "same")).await.unwrap();
    let end = answered("a");
    store.finish_turn(&TurnId::from("turn_1"), &end, &[], START).await.unwrap();
    drop(store);
    let store = home.store().await;
    let left = store.queue_list(&SessionId::from("ses_1")).await.unwrap();
    assert_eq!(left, vec![waiting("que_2", "same")]);
}

#[tokio::test]
async fn of_two_messages_with_the_same_words_the_one_with_the_turns_files_leaves() {
    let home = Home::new();
    let store = home.store().await;
    let with_a_file = QueuedTurn { attachments: vec![attachment("a.txt")], ..waiting("que_2", "same") };
    store.queue_push(&waiting("que_1", "same")).await.unwrap();
    store.queue_push(&with_a_file).await.unwrap();
    let session = SessionId::from("ses_1");
    store.queue_pop(&session).await.unwrap();
    assert_eq!(store.queue_pop(&session).await.unwrap(), Some(with_a_file.clone()));
    let turn =
        namma_core::ports::NewTurn { attachments: with_a_file.attachments, ..new_turn("ses_1", "turn_1", "same") };
    store.begin_turn(&turn).await.unwrap();
    store.queue_return(&QueuedId::from("que_1")).await.unwrap();
    assert_eq!(store.queue_list(&session).await.unwrap(), [waiting("que_1", "same")]);
}

#[tokio::test]
async fn a_popped_message_is_back_when_the_program_dies_before_its_turn() {
    let home = Home::new();
    let store = home.store().await;
    store.queue_push(&waiting("que_1", "first")).await.unwrap();
    store.queue_push(&waiting("que_2", "second")).await.unwrap();
    store.queue_pop(&SessionId::from("ses_1")).await.unwrap();
    drop(store);
    assert_eq!(texts(&home.store().await).await, vec!["first", "second"]);
}

#[tokio::test]
async fn a_popped_message_can_be_given_back() {
    let home = Home::new();
    let store = home.store().await;
    store.queue_push(&waiting("que_1", "first")).await.unwrap();
    store.queue_pop(&SessionId::from("ses_1")).await.unwrap();
    assert_eq!(store.queue_pop(&SessionId::from("ses_1")).await.unwrap(), None);
    store.queue_return(&QueuedId::from("que_1")).await.unwrap();
    assert_eq!(texts(&store).await, vec!["first"]);
}

#[tokio::test]
async fn one_particular_message_can_be_taken_and_the_others_keep_their_places() {
    let home = Home::new();
    let store = home.store().await;
    for (id, text) in [("que_1", "first"), ("que_2", "second"), ("que_3", "third")] {
        store.queue_push(&waiting(id, text)).await.unwrap();
    }
    let (session, second) = (SessionId::from("ses_1"), QueuedId::from("que_2"));
    assert_eq!(store.queue_take(&session, &second).await.unwrap(), Some(waiting("que_2", "second")));
    assert_eq!(store.queue_take(&session, &second).await.unwrap(), None, "it is taken once");
    assert_eq!(texts(&store).await, ["first", "third"]);
    store.queue_return(&second).await.unwrap();
    assert_eq!(texts(&store).await, ["first", "second", "third"]);
}
