//! Files that the person attached: kept once, named by messages, drafts and the queue, and removed
//! when nothing names them.

use crate::support::{Home, START, answered, draft, execute, new_turn, said, turn_ids};
use namma_core::ports::{Entry, SessionStore};
use namma_protocol::{Attachment, Draft, FileId, Mode, QueuedId, SessionId, TurnId};
use namma_store::{KEEP_DELETED_MS, KEEP_UNNAMED_MS, QueuedTurn, Store};

async fn kept(store: &Store, bytes: &[u8]) -> Attachment {
    let file_id = store.file_keep(bytes, "image/png").await.unwrap();
    Attachment { file_id, name: "photo.png".into(), media_type: "image/png".into(), size_bytes: bytes.len() as u32 }
}

async fn is_kept(store: &Store, attachment: &Attachment) -> bool {
    store.file_facts(&attachment.file_id).await.unwrap().is_some()
}

#[tokio::test]
async fn the_same_bytes_are_kept_once_and_read_back() {
    let home = Home::new();
    let store = home.store().await;
    let first = kept(&store, b"the bytes").await;
    let again = store.file_keep(b"the bytes", "image/png").await.unwrap();
    let other = kept(&store, b"other bytes").await;
    assert_eq!(first.file_id, again);
    assert_ne!(first.file_id, other.file_id);
    drop(store);
    let store = home.store().await;
    assert_eq!(store.attached_bytes(&again).await.unwrap().as_deref(), Some(&b"the bytes"[..]));
    let facts = store.file_facts(&again).await.unwrap().unwrap();
    assert_eq!((facts.media_type.as_str(), facts.size_bytes), ("image/png", 9));
    assert_eq!(store.file_bytes(&FileId("none".into())).await.unwrap(), None);
    assert_eq!(store.file_facts(&FileId("none".into())).await.unwrap(), None);
}

#[tokio::test]
async fn a_turn_is_read_back_with_its_files_and_named_after_them_when_it_has_no_words() {
    let home = Home::new();
    let store = home.store().await;
    let (one, two) = (kept(&store, b"one").await, kept(&store, b"two").await);
    let mut turn = new_turn("ses_1", "turn_1", "");
    turn.attachments = vec![one, two.clone()];
    let entries = [Entry::User { text: String::new(), attachments: vec![two] }, said("I see.")];
    store.begin_turn(&turn).await.unwrap();
    store.append(&turn.turn_id, &entries, &[]).await.unwrap();
    let stored = store.turns(&turn.session_id, None, 5).await.unwrap();
    assert_eq!((&stored[0].turn, &stored[0].entries[..]), (&turn, &entries[..]));
    let title = || async { store.session_summary(&turn.session_id).await.unwrap().title };
    assert_eq!(title().await, "photo.png, photo.png");
    store.session_rename(&turn.session_id, "Mine").await.unwrap();
    store.session_rename(&turn.session_id, "").await.unwrap();
    assert_eq!(title().await, "photo.png, photo.png");
}

#[tokio::test]
async fn a_draft_keeps_its_files_after_a_restart_and_apart_from_other_drafts() {
    let home = Home::new();
    let store = home.store().await;
    let files = vec![kept(&store, b"one").await, kept(&store, b"two").await];
    let session = SessionId::from("ses_1");
    let mine = Draft { text: String::new(), attachments: files };
    store.draft_save(Some(&session), &mine).await.unwrap();
    store.draft_save(None, &draft("words")).await.unwrap();
    drop(store);
    let store = home.store().await;
    assert_eq!(store.draft_get(Some(&session)).await.unwrap(), mine);
    assert_eq!(store.draft_get(None).await.unwrap(), draft("words"));
    store.draft_save(Some(&session), &draft("")).await.unwrap();
    assert_eq!(store.draft_get(Some(&session)).await.unwrap(), Draft::default());
}

#[tokio::test]
async fn what_a_draft_a_waiting_message_or_a_turn_names_stays() {
    let home = Home::new();
    let store = home.store().await;
    let mut files = Vec::new();
    for bytes in [b"asked", b"added", b"draft", b"queue", b"loose"] {
        files.push(kept(&store, bytes).await);
    }
    let mut turn = new_turn("ses_1", "turn_1", "look");
    turn.attachments = vec![files[0].clone()];
    store.begin_turn(&turn).await.unwrap();
    let added = Entry::User { text: "and this".into(), attachments: vec![files[1].clone()] };
    store.append(&turn.turn_id, &[added], &[]).await.unwrap();
    store.finish_turn(&turn.turn_id, &answered("a"), &[], START).await.unwrap();
    store.draft_save(None, &Draft { text: String::new(), attachments: vec![files[2].clone()] }).await.unwrap();
    let waiting = QueuedTurn {
        think: None,
        allow_spending: false,
        queued_id: QueuedId::from("que_1"),
        session_id: SessionId::from("ses_1"),
        text: "later".into(),
        attachments: vec![files[3].clone()],
        mode: Mode::Agent,
        model: None,
        queued_at: START,
    };
    store.queue_push(&waiting).await.unwrap();
    let left = async |store: &Store| {
        let mut left = Vec::new();
        for file in &files {
            left.push(is_kept(store, file).await);
        }
        left
    };

    drop(store);
    home.clock.advance(KEEP_UNNAMED_MS);
    let store = home.store().await;
    assert_eq!(left(&store).await, [true; 5], "a file that was just attached has its day");
    // A start removes what nothing names.
    drop(store);
    home.clock.advance(1);
    let store = home.store().await;
    assert_eq!(left(&store).await, [true, true, true, true, false]);

    store.draft_save(None, &draft("")).await.unwrap();
    store.queue_remove(&QueuedId::from("que_1")).await.unwrap();
    store.session_delete(&SessionId::from("ses_1")).await.unwrap();
    store.maintain().await.unwrap();
    assert_eq!(left(&store).await, [true, true, false, false, false], "a deleted chat can still be restored");
    home.clock.advance(KEEP_DELETED_MS + 1);
    store.maintain().await.unwrap();
    assert_eq!(left(&store).await, [false; 5]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_file_that_is_attached_again_has_its_day_again() {
    let home = Home::new();
    let store = home.store().await;
    let file = kept(&store, b"one").await;
    home.clock.advance(KEEP_UNNAMED_MS + 1);
    kept(&store, b"one").await;
    store.maintain().await.unwrap();
    assert!(is_kept(&store, &file).await);
}

#[tokio::test]
async fn a_list_that_cannot_be_read_keeps_every_file_and_does_not_stop_the_start() {
    let home = Home::new();
    let store = home.store().await;
    let file = kept(&store, b"one").await;
    store.draft_save(None, &Draft { text: "x".into(), attachments: vec![file.clone()] }).await.unwrap();
    store.close().await;
    execute(&home.path(), "update drafts set attachments = '[{\"fileId'").await;
    home.clock.advance(KEEP_UNNAMED_MS + 1);
    let store = home.store().await;
    assert!(is_kept(&store, &file).await);
}

#[tokio::test]
async fn files_are_saved_from_a_damaged_database() {
    let home = Home::new();
    let store = home.store().await;
    let file = kept(&store, &[7; 50_000]).await;
    let mut turn = new_turn("ses_1", "turn_1", "look");
    turn.attachments = vec![file.clone()];
    store.begin_turn(&turn).await.unwrap();
    store.finish_turn(&TurnId::from("turn_1"), &answered("a"), &[], START).await.unwrap();
    store.close().await;
    drop(store);
    let mut bytes = std::fs::read(home.path()).unwrap();
    bytes[..100].fill(0xa5);
    std::fs::write(home.path(), bytes).unwrap();
    let opened = home.open().await;
    assert!(opened.recovery.unwrap().is_complete());
    assert_eq!(turn_ids(&opened.store, "ses_1").await, ["turn_1"]);
    assert_eq!(
        opened.store.turns(&turn.session_id, None, 1).await.unwrap()[0].turn.attachments,
        std::slice::from_ref(&file)
    );
    assert_eq!(opened.store.file_bytes(&file.file_id).await.unwrap(), Some(vec![7; 50_000]));
}
