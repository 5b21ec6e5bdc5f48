use namma_testkit::sse_server::{Reply, SseServer, history_problem, text};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Mutex;

/// A model that gives its replies in order and refuses a conversation that no vendor would take.
pub(crate) struct Model {
    pub(crate) server: SseServer,
}

impl Model {
    pub(crate) async fn replies(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Mutex<VecDeque<Reply>> = Mutex::new(replies.into_iter().collect());
        let server = SseServer::serves(move |request| match history_problem(&request.body) {
            Some(problem) => Reply::json(400, &json!({ "error": { "message": problem } })),
            None => replies.lock().unwrap().pop_front().unwrap_or_else(|| {
                Reply::json(400, &json!({ "error": { "message": "one request more than the script has replies" } }))
            }),
        })
        .await;
        Self { server }
    }

    pub(crate) fn base_url(&self) -> String {
        self.server.base_url()
    }

    /// How many requests came.
    pub(crate) fn asked(&self) -> usize {
        self.server.request_count()
    }

    /// The messages of a request, from 0, without the system prompt.
    pub(crate) fn messages(&self, number: usize) -> Vec<Value> {
        let body = self.server.body(number);
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        messages.into_iter().filter(|message| message["role"] != "system").collect()
    }
}

/// A whole step of only this text.
pub(crate) fn said(words: &str) -> Reply {
    Reply::step([text(words)])
}

/// These words, and then nothing more for ever.
pub(crate) fn hanging(words: &[&str]) -> Reply {
    Reply::open_step(words.iter().map(|word| text(*word))).then_hang()
}

/// An address where nothing listens.
pub(crate) fn closed_port() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}
