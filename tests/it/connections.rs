//! What is learned of a connection, what it is set up with, and what goes when it goes.

use crate::support::{Home, Listener, Model, Terminal, hanging, open_app, open_app_with, said, send};
use namma_app::App;
use namma_config::{MemoryVault, Secret, SecretStore};
use namma_protocol::{
    AppEvent, ApprovalDecision, ChooseModel, ConfigureProvider, Delivery, ErrorCode, OpenSession, ResolveApproval,
    SendMessage, SessionId, Tag, TurnEvent, TurnOutcome,
};
use namma_testkit::sse_server::{Reply, call};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

fn no_such_model() -> Reply {
    Reply::json(404, &json!({ "error": { "message": "The model does not exist", "code": "model_not_found" } }))
}

fn refused(status: u16) -> Reply {
    Reply::json(status, &json!({ "error": { "message": "no" } }))
}

/// Settings that a test, or a person, may change: no variable decides them.
fn written(home: &Home, settings: &str) {
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.path().join("config.local.yaml"), settings).unwrap();
}

/// `main`, and `work` behind it, which takes over.
fn two(main: &Model, work: &Model) -> String {
    format!(
        "provider: {{ name: main, base_url: \"{}\", model: main-model, max_retries: 0, connections: [
            {{ name: work, base_url: \"{}\", model: work-model, fallback: true }}] }}\n",
        main.base_url(),
        work.base_url()
    )
}

/// Asks in a chat and waits for the end of the turn.
async fn ask(app: &App, session: Option<&SessionId>, text: &str) -> (SessionId, TurnOutcome) {
    let mut listener = Listener::new(app);
    if let Some(session) = session {
        listener.last_seq = app.session_open(opened(session)).await.unwrap().last_seq;
    }
    let session = app.turn_send(send(session, text, Delivery::Queue)).await.unwrap().session_id;
    match listener.until_finished(&session).await.pop() {
        Some(TurnEvent::TurnFinished { outcome, .. }) => (session, outcome),
        other => panic!("{other:?}"),
    }
}

fn opened(session: &SessionId) -> OpenSession {
    OpenSession { session_id: session.clone(), before: None, limit: 10 }
}

fn choice(connection: &str, model: &Model, key: Option<&str>) -> ConfigureProvider {
    ConfigureProvider {
        connection: Some(connection.to_owned()),
        base_url: model.base_url(),
        model: "m".into(),
        api_key: key.map(str::to_owned),
        ..ConfigureProvider::default()
    }
}

/// The app of a home, and its vault.
async fn app_and_vault(home: &Home) -> (App, Arc<MemoryVault>) {
    let vault = Arc::new(MemoryVault::default());
    let kept: Arc<dyn SecretStore> = vault.clone();
    (open_app_with(home, |options| options.vault = Some(kept)).await, vault)
}

async fn key_in(vault: &MemoryVault, entry: &str) -> Option<String> {
    vault.get(entry).await.unwrap().map(|key| key.expose().to_owned())
}

#[tokio::test]
async fn a_model_that_was_mistyped_is_no_fault_of_the_connection() {
    let main = Model::replies([no_such_model(), said("main")]).await;
    let work = Model::replies([said("work")]).await;
    let home = Home::bare();
    written(&home, &two(&main, &work));
    let typo = home.namma(&["ask", "--model", "typo", "hi"]).await;
    assert!(typo.stderr.contains("has no model `typo`"), "{typo:?}");
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "main\n");
    assert_eq!(work.asked(), 0);
}

#[tokio::test]
async fn a_connection_whose_own_model_is_gone_is_left_alone() {
    let main = Model::replies([no_such_model()]).await;
    let work = Model::replies([said("one"), said("two")]).await;
    let home = Home::bare();
    written(&home, &two(&main, &work));
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "one\n");
    let ran = home.namma(&["ask", "hi"]).await;
    assert_eq!((ran.stdout.as_str(), main.asked()), ("two\n", 1), "{ran:?}");
    assert!(ran.stderr.contains("failed once (") && !ran.stderr.contains("1 times"), "{}", ran.stderr);
    let label = main.server.address().to_string();
    assert!(ran.stderr.contains(&format!("{label} has no model")), "the vendor's name: {}", ran.stderr);
}

#[tokio::test]
async fn a_chat_that_was_set_to_a_removed_connection_answers_as_the_settings_say() {
    let main = Model::replies([said("one"), said("two")]).await;
    let work = Model::replies([]).await;
    let home = Home::bare();
    written(&home, &two(&main, &work));
    let app = open_app(&home).await;
    let (session, _) = ask(&app, None, "hi").await;
    let model = Some("work/gpt-5".to_owned());
    app.session_choose(ChooseModel { session_id: session.clone(), model, think: None }).await.unwrap();
    app.connection_remove("work").await.unwrap();
    assert_eq!(app.session_open(opened(&session)).await.unwrap().chosen_model, None);
    let (_, outcome) = ask(&app, Some(&session), "again").await;
    assert_eq!(outcome, TurnOutcome::Answered { text: "two".into() });
    assert_eq!(main.server.body(1)["model"], "main-model");
    app.close().await;
}

#[tokio::test]
async fn a_choice_of_a_connection_that_is_gone_is_said_and_sent_nowhere() {
    let main = Model::replies([said("one"), said("two")]).await;
    let work = Model::replies([]).await;
    let home = Home::bare();
    written(&home, &two(&main, &work));
    let app = open_app(&home).await;
    let (session, _) = ask(&app, None, "hi").await;
    for model in ["work", "work/gpt-5"] {
        written(&home, &two(&main, &work));
        app.config().reload().unwrap();
        let model = Some(model.to_owned());
        app.session_choose(ChooseModel { session_id: session.clone(), model, think: None }).await.unwrap();
        // By hand, so that nobody looks through the chats.
        written(&home, &format!("provider: {{ name: main, base_url: \"{}\", model: m }}\n", main.base_url()));
        let error = app.turn_send(send(Some(&session), "again", Delivery::Queue)).await.unwrap_err();
        assert_eq!(error.message, "there is no connection `work` any more");
        assert!(error.hint.is_some());
    }
    assert_eq!(main.asked(), 1);
    app.close().await;
}

#[tokio::test]
async fn other_time_outs_count_from_the_next_question_on() {
    let model = Model::replies([said("one"), hanging(&[])]).await;
    let home = Home::bare();
    let settings = "first_token_timeout_seconds: 300, max_retries: 0";
    let settings = format!("provider: {{ base_url: \"{}\", model: m, {settings} }}\n", model.base_url());
    written(&home, &settings);
    let app = open_app(&home).await;
    let (session, _) = ask(&app, None, "hi").await;
    for key in ["first_token_timeout_seconds", "idle_timeout_seconds"] {
        app.config().set(&format!("provider.{key}"), json!(1)).unwrap();
    }
    let (_, outcome) = ask(&app, Some(&session), "again").await;
    let TurnOutcome::Failed { error, .. } = outcome else { panic!("{outcome:?}") };
    assert_eq!(error.code, ErrorCode::TimedOut);
    app.close().await;
}

#[tokio::test]
async fn a_key_that_another_program_replaced_is_read_anew_once_it_was_refused() {
    let model = Model::replies([said("ready"), said("one"), refused(401), said("two")]).await;
    let home = Home::bare();
    let (app, vault) = app_and_vault(&home).await;
    app.provider_configure(choice("main", &model, Some("sk-before-123456"))).await.unwrap();
    let (session, _) = ask(&app, None, "hi").await;
    vault.set("provider", Secret::from_pasted("sk-after-123456").unwrap()).await.unwrap();
    ask(&app, Some(&session), "with the old one").await;
    ask(&app, Some(&session), "and now?").await;
    let keys: Vec<_> =
        model.server.requests().iter().map(|one| one.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(keys[2..], ["Bearer sk-before-123456", "Bearer sk-after-123456"]);
    app.close().await;
}

#[tokio::test]
async fn the_window_hears_of_a_failure_of_a_test_that_works_and_of_nothing_else() {
    let model = Model::replies([refused(401), said("ready"), said("ready")]).await;
    let home = Home::bare();
    written(&home, &format!("provider: {{ base_url: \"{}\", model: m, max_retries: 0 }}\n", model.base_url()));
    let app = open_app(&home).await;
    let mut events = app.subscribe();
    let mut told = || {
        let mut told = 0;
        while let Some(event) = events.try_next() {
            told += u32::from(matches!(event, AppEvent::DataChanged { tags } if tags.contains(&Tag::Provider)));
        }
        told
    };
    ask(&app, None, "hi").await;
    assert_eq!(told(), 1, "it failed");
    assert!(app.connections_list()[0].problem.is_some());
    app.provider_test().await.unwrap();
    assert_eq!(told(), 1, "it works again");
    assert!(app.connections_list()[0].problem.is_none(), "a test ends the rest, whoever asked for it");
    app.provider_test().await.unwrap();
    assert_eq!(told(), 0, "as before");
    app.close().await;
}

#[tokio::test]
async fn another_model_on_this_computer_is_a_new_start() {
    let first = Model::replies([]).await;
    let home = Home::bare();
    written(
        &home,
        &format!(
            "provider: {{ base_url: \"{}\", model: m, connections: [
                {{ name: here, type: managed_local, model: gone }}] }}\n",
            first.base_url()
        ),
    );
    let app = open_app(&home).await;
    let shelf = app.config().paths().models_dir();
    std::fs::create_dir_all(&shelf).unwrap();
    let model = json!({
        "name": "one", "title": "One", "path": home.work("one.gguf"), "is_ours": false, "bytes": 1,
        "architecture": "llama", "context_tokens": null, "has_chat_template": true, "sha256": null,
        "chat_template": null,
    });
    std::fs::write(shelf.join("models.json"), json!({ "models": [model] }).to_string()).unwrap();
    let named = SendMessage { model: Some("here".into()), ..send(None, "hi", Delivery::Queue) };
    let mut listener = Listener::new(&app);
    let session = app.turn_send(named).await.unwrap().session_id;
    listener.until_finished(&session).await;
    assert!(app.connections_list()[1].problem.is_some());
    let other =
        ConfigureProvider { connection: Some("here".into()), model: "one".into(), ..ConfigureProvider::default() };
    let status = app.provider_configure(other).await.unwrap();
    assert_eq!(status.model, "one", "the status of what was changed");
    assert!(app.connections_list()[1].problem.is_none());
    app.close().await;
}

#[tokio::test]
async fn a_connection_that_cannot_be_kept_leaves_the_vault_as_it_was() {
    let model = Model::replies((0..3).map(|_| said("ready"))).await;
    let home = Home::bare();
    let (app, vault) = app_and_vault(&home).await;
    app.provider_configure(choice("a/b", &model, Some("sk-unkept-123456"))).await.unwrap_err();
    assert_eq!(key_in(&vault, "provider").await, None);
    assert!(app.connections_list().is_empty(), "nothing is set up");
    app.provider_configure(choice("here", &model, Some("sk-kept-123456"))).await.unwrap();
    assert_eq!(app.connections_list()[0].name, "here", "the first by any name");
    app.provider_configure(choice("c/d", &model, Some("sk-unkept-123456"))).await.unwrap_err();
    assert_eq!(key_in(&vault, "provider").await.as_deref(), Some("sk-kept-123456"));
    assert_eq!(key_in(&vault, "provider-2").await, None);
    app.close().await;
}

#[tokio::test]
async fn a_key_that_no_connection_names_any_more_leaves_the_vault() {
    let (model, other) = (Model::replies((0..4).map(|_| said("ready"))).await, Model::replies([said("ready")]).await);
    let home = Home::bare().setting("WORK_KEY", "sk-variable-123456");
    let (app, vault) = app_and_vault(&home).await;
    let entry = || app.config().get().provider.api_key_ref.clone();
    app.provider_configure(choice("main", &model, Some("sk-first-123456"))).await.unwrap();
    let first = entry().unwrap();
    app.provider_configure(choice("main", &model, Some("sk-second-123456"))).await.unwrap();
    let second = entry().unwrap();
    assert_eq!(key_in(&vault, &second).await.as_deref(), Some("sk-second-123456"));
    assert_eq!(key_in(&vault, &first).await, None);
    let variable = ConfigureProvider { key_env: Some("WORK_KEY".into()), ..choice("main", &model, None) };
    app.provider_configure(variable).await.unwrap();
    assert_eq!((entry(), key_in(&vault, &second).await), (None, None));
    app.provider_configure(choice("main", &model, Some("sk-third-123456"))).await.unwrap();
    let third = entry().unwrap();
    app.provider_configure(choice("main", &other, None)).await.unwrap();
    assert_eq!((entry(), key_in(&vault, &third).await), (None, None), "it is not sent to another address");
    app.close().await;
}

#[tokio::test]
async fn a_first_connection_whose_name_is_refused_leaves_nothing_set_up() {
    let model = Model::replies([said("ready")]).await;
    let home = Home::bare();
    let ran = home.namma(&["connection", "set", "a/b", "--url", &model.base_url(), "--model", "m"]).await;
    assert_eq!(ran.code(), Some(1), "{ran:?}");
    assert!(ran.stderr.contains("is not a name for a connection: \"a/b\""), "{ran:?}");
    assert_eq!(home.namma(&["connection", "list", "--json"]).await.json(), json!([]));
    assert!(!home.path().join("config.local.yaml").exists());
}

#[tokio::test]
async fn an_address_that_holds_a_key_is_refused_and_not_shown() {
    let home = Home::bare();
    for url in ["http://ravi:marigold@127.0.0.1:1/v1", "127.0.0.1:1/v1?key=marigold", "ravi:marigold@127.0.0.1:1"] {
        let ran = home.namma(&["connection", "set", "main", "--url", url, "--model", "m"]).await;
        assert_eq!(ran.code(), Some(1), "{ran:?}");
        assert!(ran.stderr.contains("the address holds a user name, a password or a query"), "{ran:?}");
        assert!(!ran.stderr.contains("marigold"), "{ran:?}");
    }
    assert!(!home.path().join("config.local.yaml").exists());
}

#[tokio::test]
async fn at_a_limit_on_spending_what_waits_goes_on_waiting() {
    let wish = Reply::step([call("delete_path", &json!({ "path": "notes.txt" }))]);
    let model = Model::replies([wish, said("never")]).await;
    let home = Home::with_model_at(&model.base_url()).setting("NAMMA_SPENDING__PER_TURN", "1");
    std::fs::create_dir_all(home.path()).unwrap();
    let table = "models: [{ name: test-model, price: { input: 1000000, output: 1000000 } }]";
    std::fs::write(home.path().join("models.yaml"), table).unwrap();
    std::fs::write(home.work("notes.txt"), "keep me").unwrap();
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "clean up", Delivery::Queue)).await.unwrap().session_id;
    let heard = listener.until(&session, |event| matches!(event, TurnEvent::ApprovalRequested { .. })).await;
    let Some(TurnEvent::ApprovalRequested { request }) = heard.last() else { panic!("{heard:?}") };
    app.turn_send(send(Some(&session), "and then this", Delivery::Queue)).await.unwrap();
    let decision = ApprovalDecision::Decline { note: None };
    let (approval_id, payload_hash) = (request.approval_id.clone(), request.payload_hash.clone());
    app.approval_resolve(ResolveApproval { approval_id, payload_hash, decision }).unwrap();
    listener.until(&session, |event| matches!(event, TurnEvent::TurnFinished { .. })).await;
    let more = tokio::time::timeout(Duration::from_millis(500), listener.next(&session)).await;
    assert!(more.is_err(), "nothing starts by itself: {more:?}");
    let view = app.session_open(opened(&session)).await.unwrap();
    assert_eq!((view.queue.len(), view.turns.len(), model.asked()), (1, 1, 1));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_never_on_the_screen_and_the_terminal_is_as_before() {
    let model = Model::replies([said("ready")]).await;
    let home = Home::bare();
    let set = format!("\"$NAMMA\" connection set main --url {} --model m --key", model.base_url());
    let script = format!("trap : INT; stty echo; {set} || stty -a");
    // Nothing that could be a key: it would go to the vault of this system.
    for (typed, ending) in [("not a key", "\r"), ("sk-half", "\u{3}")] {
        let mut terminal = Terminal::of(home.shell(&script));
        terminal.until("it is not shown");
        terminal.types(typed);
        terminal.types(ending);
        let screen = terminal.until("speed ");
        assert!(!screen.contains(typed), "{screen}");
        terminal.until(" echo ");
    }
    assert_eq!(model.asked(), 0);
}
