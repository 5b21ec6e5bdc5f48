//! The commands that look things up: sessions, settings, tools, the doctor.

use crate::support::{Home, Model, said};
use namma_testkit::sse_server::{Reply, text, usage};
use serde_json::json;

#[tokio::test]
async fn a_chat_is_listed_shown_exported_found_and_deleted() {
    let model = Model::replies([said("The blue one lies under the flowerpot.")]).await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "Where is the spare key?"]).await;
    let id = home.only_session().await["session"]["sessionId"].as_str().unwrap().to_owned();
    let list = home.namma(&["sessions", "list"]).await.stdout;
    assert!(list.starts_with(&id) && list.contains("Where is the spare key?") && list.lines().count() == 1, "{list}");
    let shown = home.namma(&["sessions", "show", &id]).await.stdout;
    assert!(shown.contains("you: Where is the spare key?") && shown.contains("under the flowerpot"), "{shown}");
    let page = home.namma(&["sessions", "export", &id]).await.stdout;
    assert!(page.starts_with("# ") && page.contains("flowerpot"), "{page}");
    let whole = home.namma(&["sessions", "export", &id, "--json"]).await.json();
    assert_eq!(whole["turns"].as_array().map(Vec::len), Some(1), "{whole}");
    let hits = home.namma(&["sessions", "search", "where's my spare key?", "--json"]).await.json();
    assert_eq!(hits[0]["sessionId"], json!(id), "{hits}");
    assert_eq!(home.namma(&["sessions", "delete", &id]).await.code(), Some(0));
    assert_eq!(home.namma(&["sessions", "list"]).await.stdout, "");
    let gone = home.namma(&["sessions", "search", "spare key"]).await;
    assert_eq!((gone.stdout.as_str(), gone.stderr.as_str()), ("", "namma: no message fits\n"));
    for command in ["show", "export", "delete"] {
        let gone = home.namma(&["sessions", command, &id]).await;
        assert_eq!((gone.code(), gone.stdout.as_str()), (Some(1), ""), "{command}: {gone:?}");
        assert!(gone.stderr.contains("there is no"), "{command}: {}", gone.stderr);
    }
}

#[tokio::test]
async fn a_question_in_kannada_is_found_by_another_one() {
    let model = Model::replies([said("ಸರಿ, ನೆನಪಿಟ್ಟುಕೊಳ್ಳುತ್ತೇನೆ."), said("ok")]).await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "ನನ್ನ ಬೆಕ್ಕಿನ ಹೆಸರು ಮೀನಾಕ್ಷಿ"]).await;
    home.namma(&["ask", "something else"]).await;
    let hits = home.namma(&["sessions", "search", "ಬೆಕ್ಕಿನ ಹೆಸರು ಏನು?", "--json"]).await.json();
    assert!(hits[0]["excerpt"].as_str().is_some_and(|text| text.contains("ಮೀನಾಕ್ಷಿ")), "{hits}");
}

#[tokio::test]
async fn a_setting_counts_from_the_next_command_on_and_only_differences_are_written() {
    let home = Home::bare();
    assert_eq!(home.namma(&["config", "get", "assistant.name"]).await.stdout, "Namma Agent\n");
    assert_eq!(home.namma(&["config", "set", "assistant.name", "Kavi"]).await.code(), Some(0));
    assert_eq!(home.namma(&["config", "get", "assistant.name"]).await.stdout, "Kavi\n");
    let overlay = home.path().join("config.local.yaml");
    let path = home.namma(&["config", "path", "--json"]).await.json();
    assert_eq!(path["settings"].as_str(), overlay.to_str());
    let written = std::fs::read_to_string(&overlay).unwrap();
    assert!(written.contains("Kavi") && !written.contains("provider"), "{written}");
    assert_eq!(home.namma(&["config", "set", "assistant.name"]).await.code(), Some(0), "back to the default");
    assert_eq!(home.namma(&["config", "get", "assistant.name"]).await.stdout, "Namma Agent\n");
    let unknown = home.namma(&["config", "set", "assistant.nmae", "Kavi"]).await;
    assert!(unknown.code() == Some(1) && unknown.stderr.contains("`assistant.name`"), "{unknown:?}");
    let wrong = home.namma(&["config", "set", "conversation.tool_loop_limit", "many"]).await;
    assert!(wrong.code() == Some(1) && wrong.stderr.contains("whole number"), "{wrong:?}");
    let key = home.namma(&["config", "set", "provider.label", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"]).await;
    assert!(key.code() == Some(1) && key.stderr.contains("vault"), "a key is never written in clear: {key:?}");
    assert_eq!(home.namma(&["config", "check"]).await.code(), Some(0));
}

#[tokio::test]
async fn a_list_is_written_as_in_the_settings_file_and_a_section_is_not_forgotten_by_mistake() {
    let home = Home::bare();
    for list in ["[~/Documents, /tmp]", r#"["~/Documents", "/tmp"]"#] {
        let ran = home.namma(&["config", "set", "security.folders", list]).await;
        assert_eq!(ran.code(), Some(0), "{ran:?}");
        let kept = home.namma(&["config", "get", "security.folders", "--json"]).await.json();
        assert_eq!(kept, json!(["~/Documents", "/tmp"]));
    }
    let ran = home.namma(&["config", "set", "conversation.tool_loop_limit", "-1"]).await;
    assert_eq!(ran.code(), Some(0), "{ran:?}");
    let ran = home.namma(&["config", "set", "security"]).await;
    assert!(ran.code() == Some(1) && ran.stderr.contains("security.folders"), "{ran:?}");
    let kept = home.namma(&["config", "get", "security.folders", "--json"]).await.json();
    assert_eq!(kept, json!(["~/Documents", "/tmp"]), "nothing has gone");
}

#[tokio::test]
async fn tokens_are_counted_by_day_and_model_and_outlive_their_chats() {
    let reply = || Reply::step([text("hi"), usage(100, 7)]);
    let model = Model::replies([reply(), reply(), reply()]).await;
    let home = Home::with_model_at(&model.base_url());
    let nothing = home.namma(&["usage"]).await;
    assert_eq!((nothing.code(), nothing.stdout.as_str()), (Some(0), ""), "{nothing:?}");
    for arguments in [&["ask", "one"][..], &["ask", "two"], &["ask", "--model", "other", "three"]] {
        home.namma(arguments).await;
    }
    let id = home.namma(&["sessions", "list", "--json"]).await.json()[0]["sessionId"].as_str().unwrap().to_owned();
    home.namma(&["sessions", "delete", &id]).await;
    let used = home.namma(&["usage", "--json"]).await.json();
    let of = |at: usize| (used[at]["model"].clone(), used[at]["turns"].clone(), used[at]["inputTokens"].clone());
    assert_eq!(of(0), (json!("test-model"), json!(2), json!(200)));
    assert_eq!(of(1), (json!("other"), json!(1), json!(100)));
    let shown = home.namma(&["usage"]).await.stdout;
    assert!(shown.lines().count() == 2 && shown.contains("2 turns") && shown.contains("14 out"), "{shown}");
}

#[tokio::test]
async fn the_doctor_names_every_part_and_a_fix_for_what_is_wrong() {
    let home = Home::bare();
    let ran = home.namma(&["doctor", "--json"]).await;
    assert_eq!(ran.code(), Some(1), "no model is set up");
    let checks = ran.json();
    let names: Vec<&str> = checks.as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    for name in ["config", "provider", "vault", "sandbox", "database", "audit", "browser", "display", "tray", "hotkey"]
    {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    for check in checks.as_array().unwrap() {
        let wrong = ["failed", "degraded"].contains(&check["state"].as_str().unwrap());
        assert!(!wrong || check["fix"].is_string(), "no fix: {check}");
    }
    let text = home.namma(&["doctor"]).await.stdout;
    assert!(text.contains("FAILED    provider"), "{text}");
}

#[tokio::test]
async fn the_doctor_is_content_with_a_model_that_answers() {
    let model = Model::replies([said("ok")]).await;
    let home = Home::with_model_at(&model.base_url());
    let checks = home.namma(&["doctor", "--json"]).await.json();
    let provider = checks.as_array().unwrap().iter().find(|check| check["name"] == "provider").unwrap();
    assert_eq!(provider["state"], "ok", "{provider}");
}

#[tokio::test]
async fn tools_are_listed_with_what_they_take() {
    let home = Home::bare();
    let tools = home.namma(&["tools", "list", "--json"]).await.json();
    let read = tools.as_array().unwrap().iter().find(|tool| tool["name"] == "read_file").expect("read_file");
    assert!(read["parameters"]["properties"]["path"].is_object(), "{read}");
    let text = home.namma(&["tools", "list"]).await.stdout;
    assert_eq!(text.lines().count(), tools.as_array().unwrap().len(), "one line each:\n{text}");
}
