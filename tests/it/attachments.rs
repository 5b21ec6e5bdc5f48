//! `namma ask --file`: what goes to the model, and what is refused and why.

use crate::support::{Home, Listener, Model, events_of, open_app, said, send};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use namma_protocol::{AddAttachment, Delivery, Draft, ErrorCode, TurnEvent};
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and the rest of it";

fn with_file(home: Home, name: &str, bytes: &[u8]) -> Home {
    std::fs::write(home.work(name), bytes).unwrap();
    home
}

/// A home whose model can see.
fn with_eyes(model: &Model) -> Home {
    Home::with_model_at(&model.base_url()).setting("NAMMA_PROVIDER__MODEL", "gpt-4o")
}

fn data_url(bytes: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(bytes))
}

#[tokio::test]
async fn an_image_goes_to_the_model_and_is_named_in_the_chat() {
    let model = Model::replies([said("A cat."), said("Grey.")]).await;
    let home = with_file(with_eyes(&model), "photo.png", PNG);
    let ran = home.namma(&["ask", "--file", "photo.png", "what is this?"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "A cat.\n"), "{ran:?}");
    let parts = &model.messages(0)[0]["content"];
    assert_eq!(parts[0]["image_url"]["url"], data_url(PNG));
    assert_eq!(parts[1], json!({ "type": "text", "text": "what is this?\n\n[attached image: photo.png (27 bytes)]" }));

    let session = home.only_session().await;
    let id = session["session"]["sessionId"].as_str().unwrap();
    let shown = home.namma(&["sessions", "show", id]).await;
    assert!(shown.stdout.contains("what is this?\n(attached: photo.png (27 bytes))"), "{}", shown.stdout);
    let exported = home.namma(&["sessions", "export", id]).await;
    assert!(exported.stdout.contains("*Attached: photo.png (27 bytes)*"), "{}", exported.stdout);

    // The next process sends it again from the store, whether or not the file is still there.
    std::fs::remove_file(home.work("photo.png")).unwrap();
    home.namma(&["ask", "--session", id, "and its colour?"]).await;
    assert_eq!(model.messages(1)[0]["content"], *parts);
}

#[tokio::test]
async fn a_file_is_what_it_holds_whatever_it_is_called() {
    let model = Model::replies([said("ok"), said("ok")]).await;
    let home = with_file(with_eyes(&model), "notes.png", "ನಮಸ್ಕಾರ, words".as_bytes());
    let home = with_file(home, "photo.txt", PNG);
    let ran = home.namma(&["ask", "--file", "notes.png", "--file", "photo.txt", "read"]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    let parts = &model.messages(0)[0]["content"];
    let words = parts[1]["text"].as_str().unwrap();
    assert!(words.contains("from=\"the file notes.png\">\nನಮಸ್ಕಾರ, words\n</data"), "{words}");
    assert_eq!(parts[0]["image_url"]["url"], data_url(PNG));
}

#[tokio::test]
async fn a_model_without_eyes_is_told_that_there_is_an_image() {
    let model = Model::replies([said("I cannot see it.")]).await;
    let home = with_file(Home::with_model_at(&model.base_url()), "photo.png", PNG);
    home.namma(&["ask", "--file", "photo.png", "what is this?"]).await;
    let words = model.messages(0)[0]["content"].as_str().unwrap().to_owned();
    assert!(words.contains("photo.png") && words.contains("cannot see images"), "{words}");
}

#[tokio::test]
async fn a_path_that_cannot_be_attached_is_a_wrong_command_line_and_asks_nobody() {
    let model = Model::replies([said("never")]).await;
    let home = with_file(Home::with_model_at(&model.base_url()), "here.txt", b"words");
    for (path, why) in [("gone.txt", "there is no file `gone.txt`"), (".", "`.` is a folder")] {
        let ran = home.namma(&["ask", "--file", "here.txt", "--file", path, "read"]).await;
        assert_eq!((ran.code(), ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert_eq!(model.asked(), 0);
    assert_eq!(home.namma(&["sessions", "list", "--json"]).await.json(), json!([]));
}

#[tokio::test]
async fn an_empty_file_and_one_of_48_mb_are_refused_with_the_reason() {
    let model = Model::replies([said("never")]).await;
    let home = with_file(Home::with_model_at(&model.base_url()), "empty.txt", b"");
    std::fs::File::create(home.work("film.mp4")).unwrap().set_len(48_000_000).unwrap();
    let refused = [
        ("empty.txt", "`empty.txt` is empty"),
        ("film.mp4", "`film.mp4` has 48 MB, and a file may have 20 MB at most"),
    ];
    for (name, why) in refused {
        let ran = home.namma(&["ask", "--file", name, "read"]).await;
        assert_eq!((ran.code(), ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert_eq!(model.asked(), 0);
}

#[tokio::test]
async fn files_alone_are_a_question() {
    let model = Model::replies([said("A cat.")]).await;
    let home = with_file(with_eyes(&model), "photo.png", PNG);
    let ran = home.namma(&["ask", "--file", "photo.png"]).await;
    assert_eq!(ran.stdout, "A cat.\n", "{ran:?}");
    assert_eq!(home.only_session().await["session"]["title"], "photo.png");
}

#[tokio::test]
async fn files_wait_with_their_message_and_come_back_with_the_draft() {
    let model = Model::replies([said("one"), said("two")]).await;
    let home = with_eyes(&model);
    let app = open_app(&home).await;
    let add = |name: &str, bytes: &[u8]| AddAttachment { name: name.into(), base64: STANDARD.encode(bytes) };
    let photo = app.attachment_add(add("../photo.png", PNG)).await.unwrap();
    assert_eq!((photo.name.as_str(), photo.media_type.as_str(), photo.size_bytes), ("photo.png", "image/png", 27));
    assert_eq!(app.attachment_get(&photo.file_id).await.unwrap().base64, STANDARD.encode(PNG));

    let mut listener = Listener::new(&app);
    let first = app.turn_send(send(None, "first", Delivery::Queue)).await.unwrap();
    let session = first.session_id;
    let mut waiting = send(Some(&session), "", Delivery::Queue);
    waiting.attachments = vec![photo.clone()];
    app.turn_send(waiting).await.unwrap();
    let draft = Draft { text: "half a".into(), attachments: vec![photo.clone()] };
    app.draft_save(Some(&session), &draft).await.unwrap();
    listener.until_finished(&session).await;
    let second = listener.until_finished(&session).await;
    let TurnEvent::TurnStarted { attachments, .. } = &second[0] else { panic!("{second:?}") };
    assert_eq!(*attachments, std::slice::from_ref(&photo));
    let last: Value = model.messages(1).pop().unwrap();
    assert_eq!(last["content"][0]["image_url"]["url"], data_url(PNG));
    app.close().await;

    let app = open_app(&home).await;
    let open = namma_protocol::OpenSession { session_id: session, before: None, limit: 5 };
    let view = app.session_open(open).await.unwrap();
    assert_eq!((view.draft.as_str(), view.draft_attachments), ("half a", vec![photo]));
    assert_eq!(view.queue, []);
    app.close().await;
}

#[tokio::test]
async fn a_message_with_a_file_that_is_not_kept_or_with_too_many_is_refused_and_changes_nothing() {
    let home = Home::bare();
    let app = open_app(&home).await;
    let photo = app.attachment_add(AddAttachment { name: "a.png".into(), base64: STANDARD.encode(PNG) }).await.unwrap();
    let mut unknown = photo.clone();
    unknown.file_id = namma_protocol::FileId("0".repeat(64));
    let mut message = send(None, "look", Delivery::Queue);
    message.attachments = vec![unknown];
    let error = app.turn_send(message.clone()).await.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::NotFound, "`a.png` is no longer kept"));
    message.attachments = vec![photo; 21];
    let error = app.turn_send(message).await.unwrap_err();
    assert_eq!(error.message, "a message may have 20 files, and this one has 21");
    let broken = app.attachment_add(AddAttachment { name: "a.png".into(), base64: "*".into() }).await.unwrap_err();
    assert_eq!(broken.message, "the content of `a.png` arrived damaged");
    assert!(app.session_list().await.unwrap().is_empty());
    app.close().await;
}

#[tokio::test]
async fn the_events_of_a_turn_name_what_goes_with_it() {
    let model = Model::replies([said("ok")]).await;
    let home = with_file(with_eyes(&model), "photo.png", PNG);
    home.namma(&["ask", "--file", "photo.png", "look"]).await;
    let session = home.only_session().await;
    let attachment = &events_of(&session)[0]["attachments"][0];
    assert_eq!((&attachment["name"], &attachment["sizeBytes"]), (&json!("photo.png"), &json!(27)));
}
