//! Files that a person brings, and what removing a model does to its file.

use crate::support::{Computer, claims, entry, gguf, ignore, settings, size};
use namma_local::{LocalError, ServerSettings, Source};
use namma_protocol::InstallProgress;
use namma_testkit::sse_server::{Reply, SseServer};
use std::path::PathBuf;

claims! {
    a_file_stays_where_it_is_and_is_tried,
    a_file_that_cannot_be_tried_is_installed_and_told,
    what_is_no_model_is_refused,
    two_files_cannot_have_one_name,
    a_model_on_the_shelf_keeps_its_template_and_what_was_measured,
    removing_deletes_what_we_downloaded_and_nothing_else,
    a_list_that_cannot_be_read_is_not_written_over,
}

fn file(path: PathBuf) -> Source {
    Source::File { path, name: None, chat_template: None }
}

async fn a_file_stays_where_it_is_and_is_tried() {
    let computer = Computer::new();
    let path = computer.file("My Model.gguf", &gguf("qwen2"));
    let template = computer.file("chat.jinja", b"{{ messages }}");
    let source = Source::File { path: path.clone(), name: Some("mine".into()), chat_template: Some(template.clone()) };
    let mut heard = Vec::new();
    let measuring = ServerSettings { threads: None, ..settings() };
    let model = computer.installs.begin(source, None, measuring).finish(|step| heard.push(step)).await.unwrap();
    assert_eq!((model.name.as_str(), model.is_ours), ("mine", false));
    assert_eq!(model.path, Some(path.display().to_string()));
    assert_eq!(computer.shelf.find("mine").unwrap().chat_template, Some(template));
    assert!(heard.iter().any(|step| matches!(step, InstallProgress::Measuring { .. })), "{heard:?}");
    assert!(computer.shelf.find("mine").unwrap().measured.is_some());
}

async fn a_file_that_cannot_be_tried_is_installed_and_told() {
    let computer = Computer::new();
    let path = computer.file("dies.gguf", &gguf("qwen2"));
    let mut heard = InstallProgress::Starting;
    let model = computer.installs.begin(file(path), None, settings()).finish(|step| heard = step).await.unwrap();
    assert_eq!(model.name, "dies");
    let why = "the model server on this computer ended with code 1".to_owned();
    assert_eq!(heard, InstallProgress::NotTried { why });
}

async fn what_is_no_model_is_refused() {
    let computer = Computer::new();
    let install = |source| computer.installs.begin(source, None, settings()).finish(ignore);
    let missing = computer.folder.path().join("missing.gguf");
    assert_eq!(install(file(missing.clone())).await, Err(LocalError::NoFile { path: missing }));
    for content in [gguf("clip"), b"GGUF".to_vec(), b"not a model".to_vec()] {
        let path = computer.file("bad.gguf", &content);
        let refused = install(file(path)).await;
        assert!(matches!(refused, Err(LocalError::NotAModel { .. })), "{refused:?}");
    }
    let path = computer.file("good.gguf", &gguf("qwen2"));
    let source = Source::File { path: path.clone(), name: Some("../up".into()), chat_template: None };
    assert_eq!(install(source).await, Err(LocalError::BadName { name: "../up".into() }));
    let template = computer.folder.path().join("missing.jinja");
    let source = Source::File { path, name: None, chat_template: Some(template.clone()) };
    assert_eq!(install(source).await, Err(LocalError::NoTemplate { path: template }));
    assert_eq!(computer.shelf.models(), Ok(Vec::new()));
}

async fn two_files_cannot_have_one_name() {
    let computer = Computer::new();
    let first = computer.shelve("one");
    let path = computer.file("other.gguf", &gguf("llama"));
    let other = computer.shelf.inspect(&path, Some("one"), None).unwrap();
    assert_eq!(computer.shelf.put(other), Err(LocalError::NameTaken { name: "one".into(), path: first.path.clone() }));
    assert_eq!(computer.shelf.put(first.clone()), Ok(()), "the same file again is no other one");
    assert_eq!(computer.shelf.models(), Ok(vec![first]));
}

async fn a_model_on_the_shelf_keeps_its_template_and_what_was_measured() {
    let computer = Computer::new();
    let template = computer.file("chat.jinja", b"{{ messages }}");
    let path = computer.file("one.gguf", &gguf("qwen2"));
    let measuring = ServerSettings { threads: None, ..settings() };
    let install = |source| computer.installs.begin(source, None, measuring.clone()).finish(ignore);
    install(Source::File { path, name: None, chat_template: Some(template) }).await.unwrap();
    let first = computer.shelf.find("one").unwrap();
    assert!(first.measured.is_some());
    install(Source::Shelved { name: "one".into(), chat_template: None }).await.unwrap();
    assert_eq!(computer.shelf.find("one"), Ok(first.clone()));
    let other = computer.file("other.jinja", b"{{ tools }}");
    install(Source::Shelved { name: "one".into(), chat_template: Some(other.clone()) }).await.unwrap();
    let changed = computer.shelf.find("one").unwrap();
    assert_eq!((changed.chat_template, changed.measured), (Some(other), first.measured));
}

async fn removing_deletes_what_we_downloaded_and_nothing_else() {
    let computer = Computer::new();
    let content = gguf("qwen2");
    let theirs = content.clone();
    let server = SseServer::serves(move |_| Reply::body(200, "application/octet-stream", theirs.clone())).await;
    let entry = entry(&format!("http://{}/small.gguf", server.address()), &content);
    let downloaded = computer.begin(&entry).finish(ignore).await.unwrap();
    let brought = computer.shelve("brought");
    computer.servers.let_go_of("small").await;
    for name in ["small", "brought"] {
        computer.shelf.remove(name).unwrap();
        assert_eq!(computer.shelf.remove(name), Err(LocalError::NotFound { name: name.into() }));
    }
    assert_eq!(size(downloaded.path.unwrap().as_ref()), None);
    assert_eq!(size(&brought.path), Some(content.len() as u64));
}

async fn a_list_that_cannot_be_read_is_not_written_over() {
    let computer = Computer::new();
    let model = computer.shelve("one");
    std::fs::write(computer.models_file("models.json"), "{ half").unwrap();
    assert!(matches!(computer.shelf.put(model), Err(LocalError::Disk { what: "understand", .. })));
    assert_eq!(std::fs::read_to_string(computer.models_file("models.json")).unwrap(), "{ half");
}
