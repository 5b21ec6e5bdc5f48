//! Model servers that a test plays.

use super::http::{ask, free_port};
use super::{PATIENCE, given, until};
use namma_testkit::sse_server::{Chunk, RecordedRequest, Reply, SseServer};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// A model that gives these replies in order. Questions that are not part of the chat (the list of
/// models, the test of a connection) are answered as well and take nothing of the script.
pub(crate) struct Talk;

impl Talk {
    pub(crate) async fn of(replies: impl IntoIterator<Item = Reply>) -> SseServer {
        let replies: Mutex<VecDeque<Reply>> = Mutex::new(replies.into_iter().collect());
        SseServer::serves(move |request| {
            if let Some(reply) = besides_the_chat(request) {
                return reply;
            }
            let next = replies.lock().ok().and_then(|mut replies| replies.pop_front());
            next.unwrap_or_else(|| Reply::json(500, &json!({ "error": { "message": "the script is over" } })))
        })
        .await
    }
}

fn besides_the_chat(request: &RecordedRequest) -> Option<Reply> {
    if request.method == "GET" {
        let models = json!({ "object": "list", "data": [{ "id": "test-model", "object": "model" }] });
        return Some(Reply::json(200, &models));
    }
    let is_chat = request.body["messages"].as_array().is_some_and(|messages| messages.len() > 1);
    (!is_chat).then(|| Reply::step([Chunk::Text("ok".into())]))
}

/// The event of a piece of text, for replies that pause between pieces.
pub(crate) fn delta(text: &str) -> String {
    let choice = json!([{ "index": 0, "delta": { "content": text }, "finish_reason": null }]);
    format!(
        "data: {}\n\n",
        json!({ "id": "c", "object": "chat.completion.chunk", "model": "test-model", "choices": choice })
    )
}

/// A text that arrives word by word, then hangs.
pub(crate) fn slowly(text: &str, pause: Duration) -> Reply {
    let words = text.split_inclusive(' ');
    let open = Reply::open_step([Chunk::Text(String::new())]);
    words.fold(open, |reply, word| reply.then(delta(word)).wait(pause)).then_hang()
}

/// llama-server with the small model that `cargo xtask peers` installs.
pub(crate) struct RealModel {
    process: Child,
    port: u16,
}

impl RealModel {
    pub(crate) fn start() -> Self {
        let (server, weights, template) = (Self::server(), Self::weights(), Self::template());
        let port = free_port();
        let log = std::fs::File::create(given("NAMMA_ARTIFACTS").join("llama-server.log")).expect("a log file");
        // One thread without polling is faster than two on a busy machine, by a factor of ten.
        let process = Command::new(server)
            .arg("-m")
            .arg(weights)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "-c", "8192", "-np", "1", "--temp", "0"])
            .args(["-t", "1", "--poll", "0", "--poll-batch", "0", "--alias", Self::NAME])
            .arg("--chat-template-file")
            .arg(template)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("the log file twice"))
            .stderr(log)
            .spawn()
            .expect("llama-server");
        let model = Self { process, port };
        until("the model to be loaded", PATIENCE * 3, || {
            ask(port, "GET", "/health", &Value::Null, PATIENCE).ok().filter(|(status, _)| *status == 200)
        });
        model
    }

    const NAME: &str = "qwen2.5-coder-1.5b";

    pub(crate) fn name(&self) -> &'static str {
        Self::NAME
    }

    pub(crate) fn server() -> PathBuf {
        peer("NAMMA_LLAMA_SERVER")
    }

    pub(crate) fn weights() -> PathBuf {
        peer("NAMMA_LLAMA_MODEL")
    }

    pub(crate) fn template() -> PathBuf {
        peer("NAMMA_LLAMA_TEMPLATE")
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

impl Drop for RealModel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn peer(name: &str) -> PathBuf {
    let path = std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_file());
    path.unwrap_or_else(|| {
        panic!("the real model is not installed: run `cargo xtask peers`, then `cargo xtask test --only model`")
    })
}
