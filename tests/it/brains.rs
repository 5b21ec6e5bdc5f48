//! Several places where models answer, what they are asked with, and what they cost.

use crate::support::{Home, Listener, Model, closed_port, open_app, said, send};
use namma_protocol::{
    ChooseModel, ConfigureProvider, Delivery, OpenSession, SendMessage, TestVerdict, ThinkLevel, TurnEvent,
};
use namma_testkit::sse_server::{Reply, call};
use serde_json::json;

fn overloaded() -> Reply {
    Reply::json(529, &json!({ "error": { "message": "overloaded" } }))
}

/// A home with a second connection, `work`, that takes over.
fn with_two(first: &Model, second: &Model) -> Home {
    let work = json!([{ "name": "work", "base_url": second.base_url(), "model": "work-model", "fallback": true }]);
    Home::with_model_at(&first.base_url())
        .setting("NAMMA_PROVIDER__CONNECTIONS", &work.to_string())
        .setting("NAMMA_PROVIDER__MAX_RETRIES", "0")
}

/// A table of models in which a token costs a dollar.
fn a_dollar_a_token(home: &Home) {
    let table = "models: [{ name: test-model, price: { input: 1000000, output: 1000000 } }]";
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.path().join("models.yaml"), table).unwrap();
}

#[tokio::test]
async fn another_model_takes_over_and_it_is_said_everywhere() {
    let (first, second) = (Model::replies([overloaded()]).await, Model::replies([said("Hello.")]).await);
    let home = with_two(&first, &second);
    let ran = home.namma(&["ask", "hi"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "Hello.\n"), "{ran:?}");
    assert!(ran.stderr.contains("Continued with work-model"), "{}", ran.stderr);
    assert_eq!(second.server.body(0)["model"], "work-model");
    let told = home.only_session().await.to_string();
    assert!(told.contains("continuedWith") && told.contains("(529)"), "{told}");
    let id = home.namma(&["sessions", "list", "--json"]).await.json()[0]["sessionId"].as_str().unwrap().to_owned();
    let shown = home.namma(&["sessions", "show", &id]).await.stdout;
    assert!(shown.contains("continued with work-model"), "{shown}");
    let doctor = home.namma(&["doctor"]).await;
    assert!(doctor.stdout.contains("main:") && doctor.stdout.contains("(529)"), "{doctor:?}");
}

#[tokio::test]
async fn one_that_keeps_failing_is_left_alone_and_then_tried_again() {
    // The fourth is the test of `doctor`.
    let first = Model::replies([overloaded(), overloaded(), overloaded(), overloaded(), said("never")]).await;
    let second = Model::replies([said("one"), said("two"), said("three"), said("four")]).await;
    let home = with_two(&first, &second);
    for _ in 0..3 {
        home.namma(&["ask", "hi"]).await;
    }
    let ran = home.namma(&["ask", "hi"]).await;
    assert_eq!(ran.stdout, "four\n", "{ran:?}");
    assert!(ran.stderr.contains("failed 3 times in a row") && ran.stderr.contains("left alone"), "{}", ran.stderr);
    assert_eq!(first.asked(), 3, "it is not asked meanwhile, in another process either");
    assert!(home.namma(&["doctor"]).await.stdout.contains("left alone for now"));
}

#[tokio::test]
async fn alone_it_is_always_asked() {
    let model = Model::replies([overloaded(), overloaded(), overloaded(), said("back")]).await;
    let home = Home::with_model_at(&model.base_url()).setting("NAMMA_PROVIDER__MAX_RETRIES", "0");
    for _ in 0..3 {
        assert_eq!(home.namma(&["ask", "hi"]).await.code(), Some(1));
    }
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "back\n");
}

#[tokio::test]
async fn a_connection_can_be_asked_by_name() {
    let first = Model::replies([said("first"), said("mine")]).await;
    let second = Model::replies([said("work"), said("big")]).await;
    let home = with_two(&first, &second);
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "first\n");
    assert_eq!(home.namma(&["ask", "--model", "work", "hi"]).await.stdout, "work\n");
    assert_eq!(home.namma(&["ask", "--model", "work/lab/big", "hi"]).await.stdout, "big\n");
    assert_eq!(second.server.body(1)["model"], "lab/big");
    assert_eq!(home.namma(&["ask", "--model", "other-model", "hi"]).await.stdout, "mine\n");
    assert_eq!(first.server.body(1)["model"], "other-model");
}

#[tokio::test]
async fn two_connections_of_one_name_are_refused_with_their_place() {
    let home = Home::bare()
        .setting("NAMMA_PROVIDER__CONNECTIONS", r#"[{ name: main, base_url: "http://127.0.0.1:1/v1", model: m }]"#);
    let ran = home.namma(&["config", "check"]).await;
    assert_eq!(ran.code(), Some(1));
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("provider.connections[0].name") && told.contains("is there twice"), "{told}");
}

#[tokio::test]
async fn the_level_of_thinking_is_sent_in_the_models_own_way_and_dropped_once_when_refused() {
    let refusal = "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
    let refused = Reply::json(400, &json!({ "error": { "message": refusal } }));
    let model = Model::replies([said("thought"), refused, said("plain"), said("worded")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::create_dir_all(home.path()).unwrap();
    let table = "models: [{ name: test-model, thinking: effort, off: minimal }]";
    std::fs::write(home.path().join("models.yaml"), table).unwrap();
    assert_eq!(home.namma(&["ask", "--think", "high", "hi"]).await.stdout, "thought\n");
    assert_eq!(model.server.body(0)["reasoning_effort"], "high");
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "plain\n", "asked once more, without");
    assert_eq!(model.server.body(1)["reasoning_effort"], "minimal");
    assert!(model.server.body(2).get("reasoning_effort").is_none());
    // A model without a control of its own is asked to in words.
    assert_eq!(home.namma(&["ask", "--think", "low", "--model", "unknown", "hi"]).await.stdout, "worded\n");
    assert!(
        model.server.body(3)["messages"][0]["content"]
            .as_str()
            .unwrap()
            .ends_with("Think briefly before you act or answer.")
    );
    let wrong = home.namma(&["ask", "--think", "hard", "hi"]).await;
    assert_eq!(wrong.code(), Some(2));
    assert!(wrong.stderr.contains("off, low, medium or high"), "{}", wrong.stderr);
}

#[tokio::test]
async fn what_was_spent_is_shown_and_a_limit_stops_until_the_person_says_so() {
    // The scripted step counts 10 tokens in and 5 out.
    let model = Model::replies([said("one"), said("two"), said("three")]).await;
    let home = Home::with_model_at(&model.base_url()).setting("NAMMA_SPENDING__PER_DAY", "20");
    a_dollar_a_token(&home);
    assert_eq!(home.namma(&["ask", "is it?"]).await.code(), Some(0));
    let usage = home.namma(&["usage"]).await.stdout;
    assert!(usage.contains("$15.00") && usage.ends_with("today $15.00 of $20.00, this month $15.00\n"), "{usage}");
    assert_eq!(home.namma(&["ask", "and now?"]).await.code(), Some(0), "$15 of $20 were spent when it began");
    let ran = home.namma(&["ask", "and again?"]).await;
    assert_eq!((ran.code(), model.asked()), (Some(3), 2), "{ran:?}");
    assert!(ran.stderr.contains("spending.per_day") && ran.stderr.contains("--over-limit"), "{}", ran.stderr);
    let session = home.namma(&["sessions", "list", "--json"]).await.json()[0]["sessionId"].as_str().unwrap().to_owned();
    let ran = home.namma(&["ask", "--over-limit", "--session", &session, "go on"]).await;
    assert_eq!(ran.stdout, "three\n", "{ran:?}");
    assert_eq!(home.namma(&["usage", "--json"]).await.json()[0]["costNanos"], 45_000_000_000_u64);
    let by_chat = home.namma(&["usage", "--chats", "--json"]).await.json();
    let again = by_chat.as_array().unwrap().iter().find(|chat| chat["title"] == "and again?").unwrap();
    assert_eq!((&again["turns"], &again["costNanos"]), (&json!(2), &json!(15_000_000_000_u64)), "one asked nobody");
    assert_eq!(by_chat.as_array().unwrap().len(), 3);
    let by_chat = home.namma(&["usage", "--chats"]).await.stdout;
    assert!(by_chat.contains(&session) && by_chat.contains("and now?"), "{by_chat}");
}

#[tokio::test]
async fn on_this_computer_nothing_costs_anything() {
    let model = Model::replies([said("Yes.")]).await;
    let home = Home::with_model_at(&model.base_url()).setting("NAMMA_PROVIDER__MODEL", "gpt-5");
    assert_eq!(home.namma(&["ask", "hi"]).await.code(), Some(0));
    assert!(!home.namma(&["usage"]).await.stdout.contains('$'));
}

#[tokio::test]
async fn a_table_of_models_that_cannot_be_read_is_told_and_the_built_in_one_holds() {
    let model = Model::replies([said("Yes.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.path().join("models.yaml"), "models:\n  - { name: test-model, contxt: 5 }\n").unwrap();
    let ran = home.namma(&["ask", "hi"]).await;
    assert_eq!(ran.stdout, "Yes.\n", "{ran:?}");
    assert!(ran.stderr.contains("models.yaml") && ran.stderr.contains("contxt"), "{}", ran.stderr);
}

#[tokio::test]
async fn a_long_result_is_kept_whole_and_opened_again() {
    let home_text: String = (1..=4000).map(|line| format!("line {line} of the long file\n")).collect();
    let model =
        Model::replies([Reply::step([call("read_file", &json!({ "path": "long.txt" }))]), said("It is long.")]).await;
    let home = Home::with_model_at(&model.base_url()).setting("NAMMA_CONVERSATION__RESULT_LIMIT_BYTES", "2000");
    std::fs::write(home.work("long.txt"), home_text).unwrap();
    let ran = home.namma(&["ask", "--json", "read long.txt"]).await;
    let session = ran.events()[0]["sessionId"].as_str().unwrap().to_owned();
    let messages = model.messages(1);
    let shortened = messages.last().unwrap()["content"].as_str().unwrap().to_owned();
    let (_, after) = shortened.split_once("open_result with the id ").expect("the handle");
    let id = after.split_whitespace().next().unwrap();

    let again = Model::replies([
        Reply::step([call("open_result", &json!({ "id": id, "find": "line 1234 " }))]),
        Reply::step([call("open_result", &json!({ "id": "call_of_somebody_else" }))]),
        said("Line 1234."),
    ])
    .await;
    let home = home.setting("NAMMA_PROVIDER__BASE_URL", &again.base_url());
    let ran = home.namma(&["ask", "--session", &session, "what is in line 1234?"]).await;
    assert_eq!(ran.stdout, "Line 1234.\n", "{ran:?}");
    let last = |number: usize| again.messages(number).last().unwrap()["content"].to_string();
    assert!(last(1).contains("1234: line 1234 of the long file"), "{}", last(1));
    assert!(last(2).contains("there is no result `call_of_somebody_else` in this chat"), "{}", last(2));
}

#[tokio::test]
async fn connections_are_set_up_tested_ordered_and_removed_from_the_command_line() {
    let first = Model::replies([said("ready"), said("ready")]).await;
    let wrong = Reply::json(401, &json!({ "error": { "message": "no such key" } }));
    let second = Model::replies([said("ready"), wrong]).await;
    let home = Home::bare().setting("WORK_KEY", "sk-work-key-1234567890");
    let ran = home.namma(&["connection", "set", "here", "--url", &first.base_url(), "--model", "mine"]).await;
    assert!(ran.stdout.starts_with("here  answers first") && ran.stdout.contains("mine"), "{ran:?}");
    let set = ["connection", "set", "work", "--url", &second.base_url(), "--model", "m", "--key-env", "WORK_KEY"];
    let ran = home.namma(&[&set[..], &["--fallback"]].concat()).await;
    assert!(ran.stdout.starts_with("work  takes over"), "{ran:?}");
    assert_eq!(second.server.requests()[0].header("authorization"), Some("Bearer sk-work-key-1234567890"));

    let ran = home.namma(&["connection", "test", "work", "--json"]).await;
    assert_eq!((ran.code(), ran.json()["verdict"].as_str()), (Some(1), Some("wrongKey")), "{ran:?}");
    assert_eq!(home.namma(&["connection", "test", "here"]).await.code(), Some(0));

    assert_eq!(home.namma(&["connection", "order", "work"]).await.code(), Some(0));
    let names = || async {
        let list = home.namma(&["connection", "list", "--json"]).await.json();
        list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["work", "here"]);
    let gone = home.namma(&["connection", "order", "nobody"]).await;
    assert!(gone.stderr.contains("there is no connection `nobody`"), "{gone:?}");
    assert_eq!(home.namma(&["connection", "remove", "work"]).await.code(), Some(0));
    assert_eq!(names().await, ["here"], "the next one is the first");
    let settings = std::fs::read_to_string(home.path().join("config.local.yaml")).unwrap();
    assert!(!settings.contains("sk-work"), "{settings}");
}

#[tokio::test]
async fn a_connection_that_is_set_again_keeps_what_was_not_named() {
    let model = Model::replies((0..3).map(|_| said("ready"))).await;
    let home = Home::bare();
    let url = model.base_url();
    home.namma(&["connection", "set", "main", "--url", &url, "--model", "first"]).await;
    home.namma(&["connection", "set", "work", "--url", &url, "--model", "mine", "--fallback"]).await;
    let again = home.namma(&["connection", "set", "work", "--url", &url]).await;
    assert!(again.stdout.starts_with("work  takes over") && again.stdout.contains("mine"), "{again:?}");
    assert_eq!(model.server.body(2)["model"], "mine");
    let twin = home.namma(&["connection", "set", "Work", "--url", &url, "--model", "mine"]).await;
    assert!(twin.stderr.contains("`Work` looks like the connection `work`"), "{twin:?}");
    assert_eq!(model.asked(), 3, "nobody was asked for a name that is refused");
}

#[tokio::test]
async fn a_connection_can_be_told_to_take_over_no_more() {
    let model = Model::replies((0..3).map(|_| said("ready"))).await;
    let home = Home::bare();
    let url = model.base_url();
    for rest in [&["main"][..], &["work", "--fallback"], &["work", "--no-fallback"]] {
        home.namma(&[&["connection", "set"], rest, &["--url", &url, "--model", "m"]].concat()).await;
    }
    let list = home.namma(&["connection", "list", "--json"]).await.json();
    assert_eq!((&list[1]["name"], &list[1]["fallback"]), (&json!("work"), &json!(false)), "{list}");
}

#[tokio::test]
async fn a_connection_that_does_not_answer_is_not_kept_and_says_why() {
    let model = Model::replies([Reply::json(402, &json!({ "error": { "message": "pay first" } }))]).await;
    let home = Home::bare();
    let ran = home.namma(&["connection", "set", "main", "--url", &model.base_url(), "--model", "m"]).await;
    assert_eq!(ran.code(), Some(1));
    assert!(ran.stderr.contains("out of credit"), "{ran:?}");
    let ran = home.namma(&["connection", "set", "main", "--url", &closed_port(), "--model", "m"]).await;
    assert!(ran.stderr.contains("nothing answers at"), "{ran:?}");
    assert_eq!(home.namma(&["connection", "list", "--json"]).await.json(), json!([]));
}

#[tokio::test]
async fn a_key_in_the_persons_env_file_is_found_and_one_in_the_working_folder_is_not() {
    let model = Model::replies([said("ready"), said("Hello.")]).await;
    let home = Home::bare();
    std::fs::create_dir_all(home.path()).unwrap();
    std::fs::write(home.work(".env"), "GROQ_API_KEY=sk-somebody-elses-account\n").unwrap();
    std::fs::write(home.path().join(".env"), "# mine\nOPENAI_API_KEY='sk-mine-1234567890'\nbroken line\n").unwrap();
    let found = home.namma(&["ask", "write a poem"]).await.stderr;
    assert!(found.contains("OPENAI_API_KEY") && !found.to_lowercase().contains("groq"), "{found}");
    let set = ["connection", "set", "main", "--url", &model.base_url(), "--model", "m", "--key-env", "OPENAI_API_KEY"];
    assert_eq!(home.namma(&set).await.code(), Some(0));
    assert_eq!(model.server.requests()[0].header("authorization"), Some("Bearer sk-mine-1234567890"));
    assert_eq!(home.namma(&["ask", "hi"]).await.stdout, "Hello.\n");
    let missing =
        home.namma(&["connection", "set", "x", "--url", &model.base_url(), "--key-env", "NOPE", "--keep-key"]).await;
    assert!(missing.stderr.contains("there is no key in NOPE"), "{missing:?}");
}

/// A choice for `provider_configure`.
fn choice(connection: Option<&str>, model: &Model, key: &str) -> ConfigureProvider {
    ConfigureProvider {
        connection: connection.map(str::to_owned),
        base_url: model.base_url(),
        model: "m".into(),
        api_key: Some(key.to_owned()),
        fallback: true,
        ..ConfigureProvider::default()
    }
}

#[tokio::test]
async fn each_connection_keeps_a_key_of_its_own_wherever_it_stands() {
    let (first, second) = (Model::replies([said("ready")]).await, Model::replies([said("ready"), said("yes")]).await);
    let home = Home::bare();
    let app = open_app(&home).await;
    app.provider_configure(choice(None, &first, "sk-first-key-123456")).await.unwrap();
    app.provider_configure(choice(Some("work"), &second, "sk-second-key-123456")).await.unwrap();
    app.connections_order(&["work".into(), "main".into()]).unwrap();
    let mut listener = Listener::new(&app);
    let session = app.turn_send(send(None, "hi", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, |event| matches!(event, TurnEvent::TurnFinished { .. })).await;
    let key = |model: &Model, number: usize| model.server.requests()[number].header("authorization").map(str::to_owned);
    assert_eq!(key(&first, 0).as_deref(), Some("Bearer sk-first-key-123456"));
    assert_eq!(key(&second, 1).as_deref(), Some("Bearer sk-second-key-123456"));
    let settings = std::fs::read_to_string(home.path().join("config.local.yaml")).unwrap();
    assert!(!settings.contains("sk-"), "{settings}");

    // The key of the one that goes is gone, the other one stays.
    app.connection_remove("work").await.unwrap();
    assert_eq!(
        app.connection_test("main").await.unwrap().verdict,
        TestVerdict::Other,
        "its script has no more replies"
    );
    assert_eq!(key(&first, 1).as_deref(), Some("Bearer sk-first-key-123456"));
    app.close().await;
}

#[tokio::test]
async fn a_chat_keeps_the_model_and_the_level_that_it_was_set_to() {
    let model = Model::replies((0..4).map(|_| said("yes"))).await;
    let home = Home::with_model_at(&model.base_url());
    let app = open_app(&home).await;
    let mut listener = Listener::new(&app);
    let ended = |event: &TurnEvent| matches!(event, TurnEvent::TurnFinished { .. });
    let session = app.turn_send(send(None, "one", Delivery::Queue)).await.unwrap().session_id;
    listener.until(&session, ended).await;
    let choose =
        ChooseModel { session_id: session.clone(), model: Some("bigger".into()), think: Some(ThinkLevel::High) };
    app.session_choose(choose).await.unwrap();
    app.turn_send(send(Some(&session), "two", Delivery::Queue)).await.unwrap();
    listener.until(&session, ended).await;
    let only_now = SendMessage { model: Some("once".into()), ..send(Some(&session), "three", Delivery::Queue) };
    app.turn_send(only_now).await.unwrap();
    listener.until(&session, ended).await;
    let models: Vec<String> = (0..3).map(|at| model.server.body(at)["model"].as_str().unwrap().to_owned()).collect();
    assert_eq!(models, ["test-model", "bigger", "once"]);
    let prompt = model.server.body(1)["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(prompt.contains("Think thoroughly"), "{prompt}");
    assert_eq!(model.messages(1).len(), 3, "the chat is kept");
    let view = app.session_open(OpenSession { session_id: session, before: None, limit: 10 }).await.unwrap();
    assert_eq!((view.chosen_model.as_deref(), view.chosen_think), (Some("main/bigger"), Some(ThinkLevel::High)));
    app.close().await;
}

#[tokio::test]
async fn without_a_model_earlier_chats_are_found() {
    let model = Model::replies([said("The marigold needs water.")]).await;
    let home = Home::bare();
    let with_model = [("NAMMA_PROVIDER__BASE_URL", model.base_url()), ("NAMMA_PROVIDER__MODEL", "m".into())];
    let mut first = home.command(&["ask", "what about the marigold?"]);
    assert!(first.envs(with_model).output().await.unwrap().status.success());
    let ran = home.namma(&["ask", "search my chats for marigold"]).await;
    assert!(ran.stdout.contains("In your chats about") && ran.stdout.contains("marigold needs water"), "{ran:?}");
}

#[tokio::test]
async fn connections_that_are_set_up_at_the_same_time_are_all_kept() {
    let model = Model::replies((0..4).map(|_| said("ready"))).await;
    let home = Home::bare();
    let url = model.base_url();
    let set = |name: &'static str| {
        let (home, url) = (&home, &url);
        async move { home.namma(&["connection", "set", name, "--url", url, "--model", "m"]).await.code() }
    };
    assert_eq!(set("first").await, Some(0));
    let codes = tokio::join!(set("a"), set("b"), set("c"));
    assert_eq!(codes, (Some(0), Some(0), Some(0)));
    let list = home.namma(&["connection", "list", "--json"]).await.json();
    let mut names: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "c", "first"]);
}

#[tokio::test]
async fn a_pipe_in_the_place_of_an_env_file_holds_nobody_up() {
    let home = Home::bare();
    std::fs::create_dir_all(home.path()).unwrap();
    assert!(home.shell("mkfifo \"$NAMMA_HOME/.env\"").status().await.unwrap().success());
    let ran = home.namma(&["connection", "set", "main", "--url", &closed_port(), "--key-env", "NOPE"]).await;
    assert!(ran.stderr.contains("there is no key in NOPE"), "{ran:?}");
}
