//! A fresh install: no model, and simple requests through the real loop and gate all the same.

use crate::support::{Home, Listener, Model, Ran, events_of, in_time, open_app_at, said, send};
use namma_protocol::{ApprovalDecision, Delivery, ResolveApproval, TurnEvent, TurnOutcome, UnixMs};
use namma_testkit::ManualClock;
use serde_json::Value;
use std::sync::Arc;

/// A home without a model, with a few files to work on.
fn home() -> Home {
    let home = Home::bare();
    std::fs::create_dir_all(home.work("films")).unwrap();
    std::fs::write(home.work("films/long.mp4"), vec![0; 90_000]).unwrap();
    std::fs::write(home.work("notes.txt"), "# Plan\n\nWe move in May. Bring boxes.\n").unwrap();
    std::fs::write(home.work("two words.txt"), "keep me").unwrap();
    home
}

/// The same on a desktop where one program opens texts and pages, and writes down what it was given.
fn home_with_a_desktop() -> Home {
    let home = home();
    let (entries, config) = (home.work("../share/applications"), home.work("../config"));
    std::fs::create_dir_all(&entries).unwrap();
    std::fs::create_dir_all(&config).unwrap();
    let entry = |name: &str, body: &str| {
        let program = home.work("..").canonicalize().unwrap().join(name);
        std::fs::write(&program, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let text = format!("[Desktop Entry]\nType=Application\nName={name}\nExec={} %u\n", program.display());
        std::fs::write(entries.join(format!("{name}.desktop")), text).unwrap();
    };
    entry("viewer", r#"{ printf '%s\n' "$@"; env; } > "$HOME/part"; mv "$HOME/part" "$HOME/opened""#);
    entry("sleeper", r#"sleep 3.5; echo done > "$HOME/done""#);
    let defaults = "[Default Applications]\ntext/plain=viewer.desktop\nx-scheme-handler/https=viewer.desktop\n";
    std::fs::write(config.join("mimeapps.list"), defaults).unwrap();
    let (share, config) = (home.work("../share"), home.work("../config"));
    home.setting("DISPLAY", ":99")
        .setting("XDG_DATA_HOME", share.to_str().unwrap())
        .setting("XDG_DATA_DIRS", "/nonexistent")
        .setting("XDG_CONFIG_HOME", config.to_str().unwrap())
        .setting("OPENAI_API_KEY", "sk-seen-by-nobody-0123456789")
}

/// Asks as somebody who allows everything.
async fn ask(home: &Home, words: &str) -> Ran {
    let ran = home.namma(&["ask", "--approve", "always", words]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    ran
}

fn tools_of(session: &Value) -> Vec<&str> {
    let calls = events_of(session).into_iter().filter(|event| event["type"] == "toolCallStarted");
    calls.map(|event| event["call"]["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_question_runs_a_tool_and_its_result_is_worded() {
    let home = home();
    let ran = ask(&home, "which files in this folder are largest?").await;
    assert!(ran.stdout.starts_with("The largest files in `.` and below it:"), "{}", ran.stdout);
    let order: Vec<_> = ["films/long.mp4", "notes.txt", "two words.txt"].map(|name| ran.stdout.find(name)).into();
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{}", ran.stdout);
    let session = home.only_session().await;
    assert_eq!(tools_of(&session), ["list_dir"]);
    let started = events_of(&session)[0];
    assert_eq!(started["model"], "No model: simple requests only");
}

#[tokio::test]
async fn files_are_found_read_and_extracted() {
    let home = home();
    for (words, answer) in [
        ("find *.mp4", "films/long.mp4"),
        ("which files contain boxes", "We move in May. Bring boxes."),
        ("read notes.txt", "```text\n# Plan"),
        ("summarise notes.txt", "> Plan\n>\n> We move in May."),
        ("what's in films/", "long.mp4"),
        ("disk space", "- disk"),
        ("battery", "- battery: "),
        ("read gone.txt", "That did not work: "),
        ("find *.xyz", "I found nothing that fits `*.xyz`"),
        ("notes.txt पढ़ो", "We move in May."),
        ("ಫೈಲ್‌ಗಳನ್ನು ತೋರಿಸು", "notes.txt"),
    ] {
        let ran = ask(&home, words).await;
        assert!(ran.stdout.contains(answer), "{words}: {}", ran.stdout);
    }
}

#[tokio::test]
async fn what_nobody_allows_is_declined_and_said() {
    let home = home();
    let ran = home.namma(&["ask", "delete \"two words.txt\""]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("It was not done: "), "{}", ran.stdout);
    assert!(home.work("two words.txt").exists());
    let audit = home.audit().await;
    let rows: Vec<_> = audit.iter().map(|row| (row["tool"].as_str(), row["phase"].as_str())).collect();
    assert_eq!(rows, [(Some("delete_path"), Some("refused"))]);
}

#[tokio::test]
async fn what_is_allowed_is_done_and_looked_at() {
    let home = home();
    let ran = ask(&home, "delete \"two words.txt\"").await;
    assert!(ran.stdout.starts_with("`two words.txt` is in the trash"), "{}", ran.stdout);
    assert!(!home.work("two words.txt").exists());
    let ran = ask(&home, "rename notes.txt to plan.txt").await;
    assert_eq!(ran.stdout, "`notes.txt` is now `plan.txt`. I looked: it is there.\n");
    let ran = ask(&home, "make a folder called archive").await;
    assert_eq!(ran.stdout, "The folder `archive` is there.\n");
    let ran = ask(&home, "move plan.txt to archive/").await;
    assert_eq!(ran.stdout, "`plan.txt` is now `archive/`. I looked: it is there.\n");
    assert!(home.work("archive/plan.txt").exists());
}

#[tokio::test]
async fn what_is_not_a_clear_order_runs_nothing() {
    let home = home();
    for words in
        ["delete everything", "delete *", "don't delete notes.txt", "how do I delete notes.txt?", "notes.txt मत हटाओ"]
    {
        ask(&home, words).await;
    }
    assert_eq!(home.audit().await, Vec::<Value>::new(), "no tool was even asked for");
    let ran = ask(&home, "delete the largest file").await;
    assert!(ran.stdout.contains("long.mp4") && ran.stdout.contains("Say which one"), "{}", ran.stdout);
    assert!(home.work("films/long.mp4").exists());
}

#[tokio::test]
async fn in_chat_mode_it_says_that_agent_mode_is_needed() {
    let home = home();
    let ran = home.namma(&["ask", "--mode", "chat", "list files"]).await;
    assert!(ran.stdout.contains("agent mode"), "{}", ran.stdout);
    assert_eq!(home.namma(&["ask", "--mode", "chat", "18% of 2499"]).await.stdout, "449.82\n");
}

#[tokio::test]
async fn a_person_is_asked_and_a_no_is_kept() {
    let home = home();
    // 2026-03-01, 08:00 UTC.
    let app = open_app_at(&home, Arc::new(ManualClock::at(UnixMs(1_772_352_000_000)))).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "delete notes.txt", Delivery::Queue)).await.unwrap().session_id;
    let events = listener.until(&session, |event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
    let Some(TurnEvent::ApprovalRequested { request }) = events.last() else { panic!("{events:?}") };
    app.approval_resolve(ResolveApproval {
        approval_id: request.approval_id.clone(),
        payload_hash: request.payload_hash.clone(),
        decision: ApprovalDecision::Decline { note: None },
    })
    .unwrap();
    let events = listener.until_finished(&session).await;
    let Some(TurnEvent::TurnFinished { outcome: TurnOutcome::Answered { text }, .. }) = events.last() else {
        panic!("{events:?}")
    };
    assert!(text.starts_with("It was not done: "), "{text}");
    assert!(home.work("notes.txt").exists());
    app.turn_send(send(Some(&session), "days until 24 December", Delivery::Queue)).await.unwrap();
    let events = listener.until_finished(&session).await;
    let told = "298 days from Sunday, 1 March 2026 to Thursday, 24 December 2026.";
    assert!(events.iter().any(|event| *event == TurnEvent::TextDelta { text: told.into() }), "{events:?}");
    app.close().await;
}

#[tokio::test]
async fn a_model_that_is_set_up_later_answers_from_the_next_message_on() {
    let home = home();
    ask(&home, "hello").await;
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    let model = Model::replies([said("Here I am.")]).await;
    home.namma(&["config", "set", "provider.base_url", &model.base_url()]).await;
    home.namma(&["config", "set", "provider.model", "test-model"]).await;
    let ran = home.namma(&["ask", "--session", &id, "and now?"]).await;
    assert_eq!(ran.stdout, "Here I am.\n", "{ran:?}");
    assert!(!ran.stderr.contains("no model"), "{}", ran.stderr);
    assert_eq!(home.only_session().await["turns"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn files_addresses_and_applications_are_opened_and_go_on_by_themselves() {
    let home = home_with_a_desktop();
    let opened = home.work("../person/opened");
    let notes = home.work("notes.txt").canonicalize().unwrap();
    for (words, answer, given) in [
        ("open notes.txt", "Opened `notes.txt`: look at your screen.\n", notes.to_str().unwrap()),
        ("example.org खोलो", "`example.org` खोल दिया: अपनी स्क्रीन देखिए।\n", "https://example.org/"),
        ("open the app viewer", "Opened `viewer`: look at your screen.\n", ""),
    ] {
        // Nobody is there to be asked, and nothing is asked.
        let ran = home.namma(&["ask", words]).await;
        assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), answer), "{ran:?}");
        let text = in_time("the program that opens", until_written(&opened)).await;
        assert!(text.starts_with(&format!("{given}\n")), "{text}");
        assert!(text.contains("DISPLAY=:99") && !text.contains("sk-seen"), "{text}");
        std::fs::remove_file(&opened).unwrap();
    }
    assert_eq!(ask(&home, "open the app sleeper").await.stdout, "Opened `sleeper`: look at your screen.\n");
    assert_eq!(in_time("what was opened", until_written(&home.work("../person/done"))).await, "done\n");
}

#[tokio::test]
async fn what_cannot_be_opened_is_said_with_what_to_do() {
    let home = home_with_a_desktop();
    for (words, answer) in [
        ("open gone.txt", "That did not work: there is no file or folder `gone.txt`."),
        ("open firefox", "That did not work: there is no file and no application called `firefox` here."),
        ("open the app vieewer", "The nearest applications are called viewer."),
    ] {
        let ran = ask(&home, words).await;
        assert!(ran.stdout.contains(answer), "{words}: {}", ran.stdout);
    }
    let mut without = home.command(&["ask", "open notes.txt"]);
    without.env("PATH", "/nonexistent");
    let ran = Ran::of(without, None).await;
    assert!(
        ran.stdout.contains("`xdg-open` is not installed. Install it with `sudo apt install xdg-utils`"),
        "{ran:?}"
    );
    let mut without = home.command(&["ask", "open notes.txt"]);
    without.env_remove("DISPLAY");
    let ran = Ran::of(without, None).await;
    assert!(ran.stdout.contains("there is no desktop to open it on"), "{ran:?}");
    for words in ["open the door", "don't open notes.txt", "open it", "start the car"] {
        assert!(ask(&home, words).await.stdout.starts_with("I did not understand that"), "{words}");
    }
}

async fn until_written(path: &std::path::Path) -> String {
    loop {
        match std::fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    }
}
