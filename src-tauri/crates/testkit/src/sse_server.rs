//! A model server on loopback that says what a test tells it to: whole steps, broken streams,
//! silence, resets. It speaks HTTP/1.1 with keep-alive and nothing else, and it remembers what it
//! was asked and when the other side hung up.
//!
//! It never leaves loopback. A new way to misbehave is a method of [`Reply`].

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a server for tests: its tasks end with it, its pauses are what is tested, and without a port there is no test"
)]

mod chunk;
mod history;
mod reply;

pub use chunk::{Chunk, call, finish, raw, raw_call, text, thinking, usage};
pub use history::{assert_valid_history, history_problem};
pub use reply::Reply;

use bytes::BytesMut;
use reply::{Action, End};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::WriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};

/// The scripted server. It stops, with all its connections, when it is dropped.
pub struct SseServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: AbortHandle,
}

/// What a client asked, and how far the answer got.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub method: String,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// `null` when the body is not JSON.
    pub body: Value,
    /// The bytes of the answer that were handed to the socket so far.
    pub sent_bytes: u64,
    /// The client hung up before the answer was over.
    pub hung_up: bool,
}

impl RecordedRequest {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

type Script = Box<dyn Fn(&RecordedRequest) -> Reply + Send + Sync>;

struct Shared {
    script: Script,
    log: Mutex<Log>,
    changed: watch::Sender<u64>,
}

/// The last requests; older ones are forgotten, so that a benchmark does not fill the memory.
#[derive(Default)]
struct Log {
    kept: VecDeque<RecordedRequest>,
    forgotten: usize,
    connections: usize,
}

const KEEP_REQUESTS: usize = 1024;

impl SseServer {
    /// One step of the model per chat request, in order; `GET /models` is answered as well.
    ///
    /// A request that breaks the rules of [`assert_valid_history`] is refused as a vendor would.
    pub async fn says(steps: impl IntoIterator<Item = Vec<Chunk>>) -> Self {
        let steps: Mutex<VecDeque<Vec<Chunk>>> = Mutex::new(steps.into_iter().collect());
        Self::serves(move |request| {
            chat_reply(request, |_| match lock(&steps).pop_front() {
                Some(chunks) => Reply::step(chunks),
                None => exhausted(),
            })
        })
        .await
    }

    /// The model's step is made from the request's JSON each time.
    pub async fn answers(answer: impl Fn(&Value) -> Vec<Chunk> + Send + Sync + 'static) -> Self {
        Self::serves(move |request| chat_reply(request, |body| Reply::step(answer(body)))).await
    }

    /// These replies in order, whatever is asked.
    pub async fn replays(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Mutex<VecDeque<Reply>> = Mutex::new(replies.into_iter().collect());
        Self::serves(move |_| lock(&replies).pop_front().unwrap_or_else(exhausted)).await
    }

    /// A reply made from each request.
    pub async fn serves(script: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port on loopback");
        let address = listener.local_addr().expect("the address of a bound socket");
        let (changed, _) = watch::channel(0);
        let shared = Arc::new(Shared { script: Box::new(script), log: Mutex::default(), changed });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared))).abort_handle();
        Self { address, shared, accepting }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a person would type as base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, the last thousand of them.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        lock(&self.shared.log).kept.iter().cloned().collect()
    }

    /// The JSON of the request of that number, from 0.
    pub fn body(&self, number: usize) -> Value {
        self.requests().get(number).map(|request| request.body.clone()).unwrap_or_default()
    }

    /// How many requests came.
    pub fn request_count(&self) -> usize {
        let log = lock(&self.shared.log);
        log.forgotten + log.kept.len()
    }

    /// How many connections were made.
    pub fn connection_count(&self) -> usize {
        lock(&self.shared.log).connections
    }

    /// Waits until that many requests have arrived.
    pub async fn until_requests(&self, count: usize) {
        self.until(|log| log.forgotten + log.kept.len() >= count).await;
    }

    /// Waits until the client has hung up on the request of that number, from 0.
    pub async fn until_hung_up(&self, number: usize) {
        self.until(|log| {
            let kept = number.checked_sub(log.forgotten).and_then(|at| log.kept.get(at));
            kept.is_some_and(|request| request.hung_up)
        })
        .await;
    }

    async fn until(&self, reached: impl Fn(&Log) -> bool) {
        let mut changes = self.shared.changed.subscribe();
        while !reached(&lock(&self.shared.log)) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}

impl Drop for SseServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn exhausted() -> Reply {
    let message = "the script of this server is over: one more request came than was expected";
    Reply::json(500, &json!({ "error": { "message": message, "type": "test_script" } }))
}

fn chat_reply(request: &RecordedRequest, answer: impl FnOnce(&Value) -> Reply) -> Reply {
    if request.method == "GET" {
        return Reply::json(200, &json!({ "object": "list", "data": [{ "id": "test-model", "object": "model" }] }));
    }
    match history_problem(&request.body) {
        Some(problem) => Reply::json(400, &json!({ "error": { "message": problem, "type": "invalid_request_error" } })),
        None => answer(&request.body),
    }
}

impl Shared {
    fn record(&self, request: RecordedRequest) -> usize {
        let mut log = lock(&self.log);
        if log.kept.len() == KEEP_REQUESTS {
            log.kept.pop_front();
            log.forgotten += 1;
        }
        log.kept.push_back(request);
        let number = log.forgotten + log.kept.len() - 1;
        drop(log);
        self.changed.send_modify(|version| *version += 1);
        number
    }

    fn update(&self, number: usize, change: impl FnOnce(&mut RecordedRequest)) {
        let mut log = lock(&self.log);
        let at = number.checked_sub(log.forgotten);
        if let Some(request) = at.and_then(|at| log.kept.get_mut(at)) {
            change(request);
        }
        drop(log);
        self.changed.send_modify(|version| *version += 1);
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    lock(&shared.log).connections += 1;
                    connections.spawn(serve(stream, Arc::clone(&shared)));
                }
                Err(_) => return,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one connection until either side ends it.
async fn serve(mut stream: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut unread = BytesMut::new();
    while let Some(request) = read_request(&mut stream, &mut unread).await? {
        let reply = (shared.script)(&request);
        let end = reply.end();
        let number = shared.record(request);
        let (mut reading, mut writing) = stream.split();
        let whole = tokio::select! {
            sent = send(&mut writing, reply, &shared, number) => sent.is_ok(),
            () = until_end(&mut reading, &mut unread) => false,
        };
        if !whole {
            shared.update(number, |request| request.hung_up = true);
            return Ok(());
        }
        match end {
            End::Complete | End::Hang => {}
            End::Close => return Ok(()),
            End::Reset => return stream.set_zero_linger(),
        }
    }
    Ok(())
}

async fn until_end(reading: &mut tokio::net::tcp::ReadHalf<'_>, unread: &mut BytesMut) {
    while reading.read_buf(unread).await.is_ok_and(|count| count > 0) {}
}

async fn send(writing: &mut WriteHalf<'_>, reply: Reply, shared: &Shared, number: usize) -> io::Result<()> {
    let hang = reply.end() == End::Hang;
    for action in reply.actions() {
        match action {
            Action::Send(bytes) if bytes.is_empty() => {}
            Action::Send(bytes) => {
                writing.write_all(&bytes).await?;
                shared.update(number, |request| request.sent_bytes += bytes.len() as u64);
                tokio::task::yield_now().await;
            }
            Action::Wait(pause) => tokio::time::sleep(pause).await,
        }
    }
    if hang {
        std::future::pending::<()>().await;
    }
    Ok(())
}

/// Reads one request; `None` when the client has gone.
async fn read_request(stream: &mut TcpStream, unread: &mut BytesMut) -> io::Result<Option<RecordedRequest>> {
    let head_end = loop {
        if let Some(at) = unread.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(unread).await? == 0 {
            return Ok(None);
        }
    };
    let head = unread.split_to(head_end);
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.split("\r\n");
    let mut request_line = lines.next().unwrap_or_default().split(' ');
    let method = request_line.next().unwrap_or_default().to_owned();
    let path = request_line.next().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    while unread.len() < length {
        if stream.read_buf(unread).await? == 0 {
            return Ok(None);
        }
    }
    let body = serde_json::from_slice(&unread.split_to(length)).unwrap_or_default();
    Ok(Some(RecordedRequest { method, path, headers, body, sent_bytes: 0, hung_up: false }))
}
