//! Models on this computer, from the wish to the settings. The real server is asked by the step
//! `model` of `cargo xtask test`.

use crate::support::{Home, Listener, open_app_with, send};
use namma_protocol::{Delivery, ErrorCode, InstallLocalModel, LocalKeeper};
use namma_testkit::sse_server::{Reply, SseServer};
use serde_json::json;
use std::sync::Mutex;

/// An Ollama that has one model, and fetches and deletes as it is told.
async fn ollama() -> SseServer {
    let names = Mutex::new(vec!["llama3.2:1b".to_owned()]);
    SseServer::serves(move |request| {
        let mut names = names.lock().unwrap();
        let mut asked = request.body["model"].as_str().unwrap_or_default().to_owned();
        if !asked.contains(':') {
            asked.push_str(":latest");
        }
        match request.path.as_str() {
            "/api/tags" => {
                let models: Vec<_> =
                    names.iter().map(|name| json!({ "name": name, "size": 7_000_000_000_u64 })).collect();
                Reply::json(200, &json!({ "models": models }))
            }
            "/api/pull" => {
                names.push(asked);
                Reply::body(200, "application/x-ndjson", "{\"status\":\"success\"}\n")
            }
            "/api/delete" => {
                names.retain(|name| *name != asked);
                Reply::json(200, &json!({}))
            }
            "/v1/chat/completions" => Reply::json(500, &json!({ "error": { "message": "out of memory" } })),
            _ => Reply::body(404, "text/plain", ""),
        }
    })
    .await
}

fn wish(model: &str) -> InstallLocalModel {
    InstallLocalModel { model: model.into(), keeper: None, name: None, chat_template: None }
}

#[tokio::test]
async fn an_ollama_that_runs_fetches_uses_and_deletes_a_model_of_the_catalogue() {
    let (home, server) = (Home::bare(), ollama().await);
    let port = server.address().port();
    let app = open_app_with(&home, |options| options.local_ports.ollama = port).await;
    let before = app.local_models().await.unwrap();
    assert_eq!(before.installed.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(), ["llama3.2:1b"]);
    assert!(before.offered.iter().all(|offered| !offered.is_installed), "{:?}", before.offered);

    let install = app.local_install(wish("qwen3-4b")).await.unwrap();
    let model = install.finish(|_| ()).await.unwrap();
    assert_eq!((model.keeper, model.name.as_str(), model.is_in_use), (LocalKeeper::Ollama, "qwen3:4b", false));
    assert!(!app.has_model());
    app.local_use(&model).await.unwrap();
    let provider = app.config().get().provider.clone();
    assert_eq!(provider.base_url, Some(format!("http://127.0.0.1:{port}/v1")));
    assert_eq!(provider.model.as_deref(), Some("qwen3:4b"));
    let listed = app.local_models().await.unwrap();
    let used: Vec<_> = listed.installed.iter().filter(|model| model.is_in_use).map(|model| &model.name).collect();
    assert_eq!(used, ["qwen3:4b"]);
    assert!(listed.offered.iter().any(|offered| offered.is_installed && offered.name == "qwen3-4b"));

    let removed = app.local_remove("qwen3:4b", None).await.unwrap();
    assert_eq!((removed.keeper, removed.freed_bytes, removed.was_in_use), (LocalKeeper::Ollama, 7_000_000_000, true));
    assert_eq!(app.local_models().await.unwrap().installed.len(), 1);
    app.close().await;
}

#[tokio::test]
async fn a_model_of_ollama_without_a_tag_is_the_one_that_it_lists() {
    let (home, server) = (Home::bare(), ollama().await);
    let port = server.address().port();
    let app = open_app_with(&home, |options| options.local_ports.ollama = port).await;
    let wish = InstallLocalModel { keeper: Some(LocalKeeper::Ollama), ..wish("mistral") };
    let model = app.local_install(wish).await.unwrap().finish(|_| ()).await.unwrap();
    assert_eq!((model.name.as_str(), model.bytes), ("mistral:latest", Some(7_000_000_000)));
    app.local_use(&model).await.unwrap();
    let removed = app.local_remove("mistral", None).await.unwrap();
    assert_eq!((removed.name.as_str(), removed.was_in_use), ("mistral:latest", true));
    assert_eq!(removed.freed_bytes, 7_000_000_000);
    app.close().await;
}

#[tokio::test]
async fn what_answered_before_stays_behind_a_model_on_this_computer() {
    let (home, server) = (Home::bare(), ollama().await);
    let settings =
        "provider: { name: work, base_url: \"https://api.example.com/v1\", model: big, api_key_env: WORK_KEY }\n";
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.path().join("config.local.yaml"), settings).unwrap();
    let port = server.address().port();
    let app = open_app_with(&home, |options| options.local_ports.ollama = port).await;
    let model = app.local_models().await.unwrap().installed.remove(0);
    for _ in 0..2 {
        app.local_use(&model).await.unwrap();
        let all = app.connections_list();
        let names: Vec<_> = all.iter().map(|one| (one.name.as_str(), one.model.as_str())).collect();
        assert_eq!(names, [("ollama", "llama3.2:1b"), ("work", "big")], "once, however often it is chosen");
        assert!(all[0].local && !all[1].local && all[1].fallback);
    }
    app.connections_order(&["work".into(), "ollama".into()]).unwrap();
    let provider = app.config().get().provider.clone();
    assert_eq!((provider.name.as_str(), provider.api_key_env.as_deref()), ("work", Some("WORK_KEY")));
    app.close().await;
}

/// A small whole GGUF file.
fn gguf() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let head = [b"GGUF".to_vec(), 3_u32.to_le_bytes().to_vec(), 1_u64.to_le_bytes().to_vec()].concat();
    let pair = [text("general.architecture"), 8_u32.to_le_bytes().to_vec(), text("qwen2")].concat();
    let tensor = [text("weights"), vec![1, 0, 0, 0, 4], vec![0; 19]].concat();
    [head, 1_u64.to_le_bytes().to_vec(), pair, tensor, vec![7; 100]].concat()
}

#[tokio::test]
async fn a_model_whose_file_is_gone_is_fetched_again() {
    let (home, content) = (Home::bare(), gguf());
    let sent = content.clone();
    let server = SseServer::serves(move |_| Reply::body(200, "application/octet-stream", sent.clone())).await;
    let program = home.path().join("llama-server");
    let entry = json!({ "name": "small", "title": "A small one",
        "url": format!("http://{}/small.gguf", server.address()), "bytes": content.len(), "context_tokens": 4096,
        "licence": "MIT", "memory_bytes": 1, "calls_tools": false });
    let catalogue = json!({ "date": "2026-01-01", "models": [entry] }).to_string();
    let settings = format!("local_model: {{ server: {} }}\n", json!(program));
    std::fs::create_dir_all(home.path()).unwrap();
    // It ends at once: the model is brought and cannot be tried.
    let files = [("llama-server", ""), ("local-models.yaml", &catalogue), ("config.local.yaml", &settings)];
    for (name, content) in files {
        std::fs::write(home.path().join(name), content).unwrap();
    }
    let app = open_app_with(&home, |options| {
        (options.local_ports.ollama, options.local_ports.lm_studio) = (9, 9);
    })
    .await;
    let install = async || app.local_install(wish("small")).await.unwrap().finish(|_| ()).await.unwrap();
    let model = install().await;
    let path = model.path.clone().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), content);
    assert_eq!(install().await, model);
    assert_eq!(server.request_count(), 1, "what is here is not fetched");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(install().await, model);
    assert_eq!(std::fs::read(&path).unwrap(), content);
    app.close().await;
}

#[tokio::test]
async fn a_model_that_is_chosen_again_is_a_new_start() {
    let (home, server) = (Home::bare(), ollama().await);
    let port = server.address().port();
    let app = open_app_with(&home, |options| options.local_ports.ollama = port).await;
    let model = app.local_models().await.unwrap().installed.remove(0);
    app.local_use(&model).await.unwrap();
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "hi", Delivery::Queue)).await.unwrap().session_id;
    listener.until_finished(&session).await;
    assert!(app.connections_list()[0].problem.is_some(), "this Ollama answers no question");
    app.local_use(&model).await.unwrap();
    assert!(app.connections_list()[0].problem.is_none());
    app.close().await;
}

#[tokio::test]
async fn without_anything_to_run_it_nothing_is_downloaded() {
    let home = Home::bare().setting("PATH", "/nonexistent");
    let app = open_app_with(&home, |options| {
        // Where nobody listens.
        (options.local_ports.ollama, options.local_ports.lm_studio) = (9, 9);
    })
    .await;
    let error = app.local_install(wish("qwen3-4b")).await.err().unwrap();
    assert_eq!(error.code, ErrorCode::NotConfigured);
    assert!(error.hint.unwrap().contains("llama.cpp"));
    let unknown = app.local_install(wish("no-such-model")).await.err().unwrap();
    assert_eq!(unknown.code, ErrorCode::NotFound);
    let missing = app.local_remove("no-such-model", None).await.unwrap_err();
    assert_eq!(missing.code, ErrorCode::NotFound);
    app.close().await;
}

#[tokio::test]
async fn a_managed_model_that_is_not_here_is_told_and_the_question_is_kept() {
    let home = Home::bare().setting("NAMMA_PROVIDER__TYPE", "managed_local").setting("NAMMA_PROVIDER__MODEL", "gone");
    let ran = home.namma(&["ask", "--json", "hello"]).await;
    assert_eq!(ran.code(), Some(1));
    assert_eq!(ran.outcome()["error"]["code"], "modelNotFound");
    assert_eq!(crate::support::questions_of(&home.only_session().await), ["hello"]);
    let listed = home.namma(&["model", "list", "--json"]).await;
    assert_eq!(listed.code(), Some(0), "{listed:?}");
    assert!(listed.json()["offered"].as_array().is_some_and(|offered| !offered.is_empty()));
    let refused = home.namma(&["model", "install", "nothing.gguf"]).await;
    assert_eq!((refused.code(), refused.stdout.as_str()), (Some(1), ""), "{refused:?}");
    assert!(refused.stderr.contains("there is no file"), "{refused:?}");
}
