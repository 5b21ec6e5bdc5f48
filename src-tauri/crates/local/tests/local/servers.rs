//! The server of our own: started by a question, shared, ended when nobody asks, and not for ever.

use crate::support::{Computer, Hurried, claims, settings};
use futures_util::StreamExt;
use namma_core::ports::{ModelEvent, ModelMessage, ModelRequest, Provider, ProviderError};
use namma_local::{LocalError, LocalServers, ManagedLocal, ServerSettings, find_server};
use std::sync::Arc;
use std::time::{Duration, Instant};

claims! {
    the_first_question_starts_the_server_and_the_next_one_uses_it,
    the_fastest_number_of_threads_is_found_once_and_remembered,
    a_number_of_threads_that_is_too_slow_leaves_the_others,
    the_server_gets_what_settings_and_model_say,
    a_server_that_nobody_asks_is_ended_and_started_again,
    a_server_that_ends_in_an_answer_is_told_and_the_next_question_works,
    a_server_that_always_ends_is_not_started_for_ever,
    a_model_that_always_ends_keeps_no_other_from_answering,
    whoever_stops_waiting_is_free_at_once_and_the_server_is_there_for_the_next,
    one_model_makes_room_for_another,
    nobody_gets_a_server_that_is_about_to_end,
    models_that_are_asked_at_once_take_turns,
    closing_ends_the_server_and_nothing_starts_afterwards,
    a_model_or_a_program_that_is_not_there_is_told,
    a_system_that_starts_nothing_is_not_taken_for_a_full_disk,
}

fn provider(computer: &Computer, settings: ServerSettings) -> ManagedLocal {
    ManagedLocal::new(computer.servers.clone(), settings, "the model".into())
}

async fn ask(provider: &ManagedLocal, model: &str) -> Result<String, ProviderError> {
    let messages = vec![ModelMessage::User { text: "hello".into(), images: Vec::new() }];
    let mut stream = provider.stream(ModelRequest { model: model.into(), messages, ..ModelRequest::default() }).await?;
    let mut text = String::new();
    while let Some(event) = stream.next().await {
        if let ModelEvent::Text(piece) = event? {
            text.push_str(&piece);
        }
    }
    Ok(text)
}

async fn until_ended(computer: &Computer) {
    let began = Instant::now();
    while computer.servers.is_running() {
        assert!(began.elapsed() < Duration::from_secs(20), "the server still runs");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn the_first_question_starts_the_server_and_the_next_one_uses_it() {
    let computer = Computer::new();
    computer.shelve("small");
    let provider = provider(&computer, settings());
    assert!(!computer.servers.is_running(), "nothing runs before the first question");
    let (one, two) = tokio::join!(ask(&provider, "small"), ask(&provider, "small"));
    assert_eq!((one, two), (Ok("small".into()), Ok("small".into())));
    assert_eq!(ask(&provider, "small").await, Ok("small".into()));
    assert_eq!(computer.starts("small"), 1);
    assert!(computer.servers.is_running());
}

async fn the_fastest_number_of_threads_is_found_once_and_remembered() {
    let computer = Computer::new();
    computer.shelve("small");
    let cores = u32::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    let measuring = ServerSettings { threads: None, ..settings() };
    assert_eq!(ask(&provider(&computer, measuring.clone()), "small").await, Ok("small".into()));
    let measured = computer.shelf.find("small").unwrap().measured.unwrap();
    // The server that is played needs half the time with twice the threads.
    assert_eq!((measured.cores, measured.threads), (cores, cores));
    let tried = computer.starts("small");
    assert!(tried > 1, "each number had a server of its own");
    computer.servers.let_go_of("small").await;
    assert_eq!(ask(&provider(&computer, measuring), "small").await, Ok("small".into()));
    assert_eq!(computer.starts("small"), tried + 1, "it is not measured again");
}

async fn a_number_of_threads_that_is_too_slow_leaves_the_others() {
    // The trial has two seconds.
    let computer = Computer::with_clock(Hurried(50));
    computer.shelve("stiff");
    let measuring = ServerSettings { threads: None, ..settings() };
    assert_eq!(ask(&provider(&computer, measuring), "stiff").await, Ok("stiff".into()));
    assert!(computer.shelf.find("stiff").unwrap().measured.unwrap().threads > 1);
}

async fn the_server_gets_what_settings_and_model_say() {
    let computer = Computer::new();
    computer.shelve("small");
    let template = computer.file("chat.jinja", b"{{ messages }}");
    let more =
        ServerSettings { context_tokens: Some(9999), threads: Some(3), chat_template: Some(template), ..settings() };
    assert_eq!(ask(&provider(&computer, more), "small").await, Ok("small".into()));
    let line = std::fs::read_to_string(computer.folder.path().join("small.gguf.starts")).unwrap();
    for wanted in ["--ctx-size 4096 ", "--threads 3 ", "--poll 0 ", "--host 127.0.0.1 ", "--chat-template-file "] {
        assert!(line.contains(wanted), "{wanted}: {line}");
    }
    assert!(!line.contains("key"), "everybody can read it: {line}");
}

async fn a_server_that_nobody_asks_is_ended_and_started_again() {
    let computer = Computer::new();
    computer.shelve("small");
    let provider = provider(&computer, ServerSettings { idle: Duration::from_millis(50), ..settings() });
    for starts in 1..=2 {
        assert_eq!(ask(&provider, "small").await, Ok("small".into()));
        until_ended(&computer).await;
        assert_eq!(computer.starts("small"), starts);
    }
}

async fn a_server_that_ends_in_an_answer_is_told_and_the_next_question_works() {
    let computer = Computer::new();
    computer.shelve("breaks");
    let provider = provider(&computer, settings());
    let error = ask(&provider, "breaks").await.unwrap_err();
    let ProviderError::LocalServer { what, log, may_start_again, .. } = &error else { panic!("{error:?}") };
    assert_eq!((what.as_str(), *may_start_again), ("was ended by signal 6", true));
    assert_eq!(log, "something is broken");
    assert_eq!(ask(&provider, "breaks").await, Ok("breaks".into()));
}

async fn a_server_that_always_ends_is_not_started_for_ever() {
    let computer = Computer::new();
    computer.shelve("dies");
    let provider = provider(&computer, settings());
    for attempt in 1..=3 {
        let error = ask(&provider, "dies").await.unwrap_err();
        assert!(error.is_transient(), "attempt {attempt}: {error:?}");
        let told = error.to_api_error("");
        assert_eq!(told.message, "the model server on this computer ended with code 1");
        assert!(told.hint.unwrap().contains("the memory is too short"), "its log is told");
    }
    let error = ask(&provider, "dies").await.unwrap_err();
    assert!(!error.is_transient(), "{error:?}");
    assert!(error.to_api_error("").hint.unwrap().contains("the memory is too short"));
    assert_eq!(computer.starts("dies"), 3);
}

async fn a_model_that_always_ends_keeps_no_other_from_answering() {
    let computer = Computer::new();
    computer.shelve("dies");
    computer.shelve("small");
    for _ in 0..3 {
        ask(&provider(&computer, settings()), "dies").await.unwrap_err();
    }
    assert_eq!(ask(&provider(&computer, settings()), "small").await, Ok("small".into()));
    let refused = ask(&provider(&computer, settings()), "dies").await.unwrap_err();
    assert!(refused.to_api_error("").hint.unwrap().contains("the memory is too short"), "its own log is told");
    assert_eq!(computer.starts("dies"), 3, "the answer of another model proves nothing of this one");
    let fewer = ServerSettings { context_tokens: Some(1024), ..settings() };
    ask(&provider(&computer, fewer), "dies").await.unwrap_err();
    assert_eq!(computer.starts("dies"), 4, "other settings are another attempt");
}

async fn whoever_stops_waiting_is_free_at_once_and_the_server_is_there_for_the_next() {
    let computer = Computer::new();
    computer.shelve("slow");
    let provider = provider(&computer, settings());
    let waited = tokio::time::timeout(Duration::from_millis(100), ask(&provider, "slow")).await;
    assert!(waited.is_err(), "it still loads");
    assert_eq!(ask(&provider, "slow").await, Ok("slow".into()));
    assert_eq!(computer.starts("slow"), 1);
}

async fn one_model_makes_room_for_another() {
    let computer = Computer::new();
    computer.shelve("one");
    computer.shelve("two");
    let provider = provider(&computer, settings());
    for model in ["one", "two", "one"] {
        assert_eq!(ask(&provider, model).await, Ok(model.into()));
    }
    assert_eq!((computer.starts("one"), computer.starts("two")), (2, 1));
}

async fn nobody_gets_a_server_that_is_about_to_end() {
    let computer = Computer::new();
    computer.shelve("small");
    let provider = provider(&computer, settings());
    for _ in 0..5 {
        assert_eq!(ask(&provider, "small").await, Ok("small".into()));
        let ((), answer) = tokio::join!(computer.servers.let_go_of("small"), ask(&provider, "small"));
        assert_eq!(answer, Ok("small".into()));
    }
}

async fn models_that_are_asked_at_once_take_turns() {
    let computer = Computer::new();
    computer.shelve("one");
    computer.shelve("two");
    let provider = provider(&computer, settings());
    for _ in 0..5 {
        assert_eq!(ask(&provider, "one").await, Ok("one".into()));
        let (two, one) = tokio::join!(ask(&provider, "two"), ask(&provider, "one"));
        assert_eq!((two, one), (Ok("two".into()), Ok("one".into())));
    }
}

async fn closing_ends_the_server_and_nothing_starts_afterwards() {
    let computer = Computer::new();
    computer.shelve("small");
    let provider = provider(&computer, settings());
    assert_eq!(ask(&provider, "small").await, Ok("small".into()));
    computer.servers.close().await;
    assert!(!computer.servers.is_running());
    assert!(ask(&provider, "small").await.is_err());
    assert_eq!(computer.starts("small"), 1);
}

async fn a_model_or_a_program_that_is_not_there_is_told() {
    let computer = Computer::new();
    let model = computer.shelve("small");
    let missing = ask(&provider(&computer, settings()), "other").await;
    assert!(matches!(missing, Err(ProviderError::ModelNotFound { model, .. }) if model == "other"));
    let nowhere = ServerSettings { program: None, search_path: "/nonexistent:relative".into(), ..settings() };
    assert_eq!(find_server(&nowhere), Err(LocalError::NoServer));
    let error = ask(&provider(&computer, nowhere), "small").await.unwrap_err();
    assert!(!error.is_transient() && error.to_api_error("").hint.unwrap().contains("local_model.server"), "{error:?}");
    std::fs::remove_file(&model.path).unwrap();
    let gone = ask(&provider(&computer, settings()), "small").await.unwrap_err();
    assert!(gone.to_string().contains("there is no file"), "{gone}");
}

async fn a_system_that_starts_nothing_is_not_taken_for_a_full_disk() {
    let computer = Computer::new();
    computer.shelve("small");
    let servers = LocalServers::new("/nonexistent/namma".into(), computer.shelf.clone(), Arc::new(Hurried(1)));
    let provider = ManagedLocal::new(servers, settings(), "the model".into());
    let error = ask(&provider, "small").await.unwrap_err().to_api_error("");
    assert!(error.message.contains("the system could not start the model server"), "{}", error.message);
    let hint = error.hint.unwrap();
    assert!(!hint.contains("disk") && !error.message.contains("nonexistent"), "{}: {hint}", error.message);
}
