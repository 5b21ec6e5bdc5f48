//! Several programs on one home.

use crate::support::{Home, Model, Ran, hanging, questions_of};
use namma_testkit::sse_server::{SseServer, text};
use nix::sys::signal::Signal;

#[tokio::test]
async fn many_programs_at_once_lose_nothing() {
    let server = SseServer::answers(|request| {
        let question = request["messages"].as_array().and_then(|all| all.last()).map(|last| last["content"].clone());
        vec![text(format!("answer to {}", question.unwrap_or_default().as_str().unwrap_or_default()))]
    })
    .await;
    let home = Home::with_model_at(&server.base_url());
    // All of them meet a home that does not exist yet.
    let questions: Vec<String> = (0..6).map(|number| format!("question {number}")).collect();
    let asked: Vec<Ran> = futures_util::future::join_all(
        questions.iter().map(|question| async { home.namma(&["ask", question.as_str()]).await }),
    )
    .await;
    for (question, ran) in questions.iter().zip(&asked) {
        assert_eq!((ran.code(), ran.stdout.trim_end()), (Some(0), format!("answer to {question}").as_str()), "{ran:?}");
    }
    let list = home.namma(&["sessions", "list", "--json"]).await.json();
    let mut titles: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    assert_eq!(titles, questions);
}

#[tokio::test]
async fn a_second_question_in_a_busy_session_is_refused_with_a_reason() {
    let model = Model::replies([hanging(&["Thinking"])]).await;
    let home = Home::with_model_at(&model.base_url());
    let mut first = home.start(&["ask", "--json", "a long one"]);
    let session = first.until("textDelta").await["sessionId"].as_str().unwrap().to_owned();
    let second = home.namma(&["ask", "--session", &session, "a short one"]).await;
    assert_eq!((second.code(), second.stdout.as_str()), (Some(1), ""), "{second:?}");
    assert!(second.stderr.contains("another turn is running in this chat"), "{}", second.stderr);
    assert_eq!(model.asked(), 1);
    let shown = home.namma(&["sessions", "show", &session, "--json"]).await;
    assert_eq!(shown.code(), Some(0), "looking is allowed: {shown:?}");
    first.signal(Signal::SIGINT);
    assert_eq!(first.end().await.code(), Some(130));
    assert_eq!(questions_of(&home.only_session().await), ["a long one"]);
}
