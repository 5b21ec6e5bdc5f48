use super::chunk::{Chunk, events, whole_step};
use bytes::{BufMut, Bytes, BytesMut};
use serde_json::Value;
use std::time::Duration;

/// One scripted answer: what is sent, in which pieces, and how it ends.
#[derive(Clone, Debug)]
pub struct Reply {
    head: Head,
    framing: Framing,
    pieces: Vec<Piece>,
    apart: bool,
    end: End,
}

#[derive(Clone, Debug)]
enum Head {
    Http {
        status: u16,
        headers: Vec<(String, String)>,
    },
    /// No head at all: the pieces are the whole answer.
    Missing,
}

/// How the client knows where the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Framing {
    Length,
    Chunked,
    UntilClose,
}

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Bytes),
    Wait(Duration),
    Repeat { bytes: Bytes, times: usize },
}

/// How the answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Whole, and the connection stays open.
    Complete,
    /// Nothing more comes, and the connection stays open.
    Hang,
    /// The connection is closed where it is.
    Close,
    /// The connection is reset.
    Reset,
}

/// What the connection does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Send(Bytes),
    Wait(Duration),
}

impl Reply {
    /// A whole streamed step of the model.
    pub fn step(chunks: impl IntoIterator<Item = Chunk>) -> Self {
        let chunks: Vec<Chunk> = chunks.into_iter().collect();
        Self::events(whole_step(&chunks))
    }

    /// The chunks and nothing more: no finish, no usage, no `[DONE]`.
    pub fn open_step(chunks: impl IntoIterator<Item = Chunk>) -> Self {
        let chunks: Vec<Chunk> = chunks.into_iter().collect();
        Self::events(events(&chunks))
    }

    /// An event stream of exactly these bytes.
    pub fn events(body: impl Into<Bytes>) -> Self {
        Self::new(200, "text/event-stream", Framing::Chunked, body.into())
    }

    /// A JSON document.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::body(status, "application/json", body.to_string())
    }

    /// Any document.
    pub fn body(status: u16, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self::new(status, content_type, Framing::Length, body.into())
    }

    /// Bytes that are not HTTP, then the end of the connection.
    pub fn garbage(bytes: impl Into<Bytes>) -> Self {
        let pieces = vec![Piece::Bytes(bytes.into())];
        Self { head: Head::Missing, framing: Framing::UntilClose, pieces, apart: false, end: End::Close }
    }

    /// The request is read and never answered.
    pub fn silence() -> Self {
        Self { head: Head::Missing, framing: Framing::UntilClose, pieces: Vec::new(), apart: false, end: End::Hang }
    }

    fn new(status: u16, content_type: &str, framing: Framing, body: Bytes) -> Self {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        let pieces = vec![Piece::Bytes(body)];
        Self { head: Head::Http { status, headers }, framing, pieces, apart: false, end: End::Complete }
    }

    /// One header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Head::Http { headers, .. } = &mut self.head {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// The body in pieces of `size` bytes, each its own write.
    #[must_use]
    pub fn split(mut self, size: usize) -> Self {
        let size = size.max(1);
        self.pieces = self.pieces.into_iter().flat_map(|piece| split_piece(piece, size)).collect();
        self.apart = true;
        self
    }

    /// A pause before everything after the head.
    #[must_use]
    pub fn wait_first(mut self, pause: Duration) -> Self {
        self.pieces.insert(0, Piece::Wait(pause));
        self
    }

    /// A pause after what is scripted so far.
    #[must_use]
    pub fn wait(mut self, pause: Duration) -> Self {
        self.pieces.push(Piece::Wait(pause));
        self
    }

    /// More of the body.
    #[must_use]
    pub fn then(mut self, bytes: impl Into<Bytes>) -> Self {
        self.pieces.push(Piece::Bytes(bytes.into()));
        self
    }

    /// The same bytes many times, made while they are sent.
    #[must_use]
    pub fn then_repeat(mut self, bytes: impl Into<Bytes>, times: usize) -> Self {
        self.pieces.push(Piece::Repeat { bytes: bytes.into(), times });
        self
    }

    /// After that, nothing, with the connection open.
    #[must_use]
    pub fn then_hang(mut self) -> Self {
        self.end = End::Hang;
        self
    }

    /// After that the connection is closed, in the middle of the transfer.
    #[must_use]
    pub fn then_close(mut self) -> Self {
        self.end = End::Close;
        self
    }

    /// After that the connection is reset.
    #[must_use]
    pub fn then_reset(mut self) -> Self {
        self.end = End::Reset;
        self
    }

    /// The body ends where the connection ends, so that a cut looks like an end.
    #[must_use]
    pub fn until_close(mut self) -> Self {
        self.framing = Framing::UntilClose;
        self.end = End::Close;
        self
    }

    pub(super) fn end(&self) -> End {
        self.end
    }

    /// The writes and pauses in order. Writes are joined unless the pieces are to be apart.
    pub(super) fn actions(self) -> impl Iterator<Item = Action> {
        let head = self.head_bytes();
        let framing = self.framing;
        let apart = self.apart;
        let last = (framing == Framing::Chunked && self.end == End::Complete).then(|| Bytes::from_static(b"0\r\n\r\n"));
        let body = self.pieces.into_iter().flat_map(move |piece| piece_actions(piece, framing));
        let all = std::iter::once(Action::Send(head)).chain(body).chain(last.map(Action::Send));
        Joined { actions: all, held: BytesMut::new(), next: None, apart }
    }

    fn head_bytes(&self) -> Bytes {
        let Head::Http { status, headers } = &self.head else { return Bytes::new() };
        let mut head = format!("HTTP/1.1 {status} scripted\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        match self.framing {
            Framing::Length => head.push_str(&format!("content-length: {}\r\n", self.length())),
            Framing::Chunked => head.push_str("transfer-encoding: chunked\r\n"),
            Framing::UntilClose => head.push_str("connection: close\r\n"),
        }
        head.push_str("\r\n");
        Bytes::from(head)
    }

    fn length(&self) -> usize {
        let size = |piece: &Piece| match piece {
            Piece::Bytes(bytes) => bytes.len(),
            Piece::Wait(_) => 0,
            Piece::Repeat { bytes, times } => bytes.len() * times,
        };
        self.pieces.iter().map(size).sum()
    }
}

fn split_piece(piece: Piece, size: usize) -> Vec<Piece> {
    match piece {
        Piece::Bytes(mut bytes) => {
            let mut parts = Vec::with_capacity(bytes.len() / size + 1);
            while !bytes.is_empty() {
                parts.push(Piece::Bytes(bytes.split_to(size.min(bytes.len()))));
            }
            parts
        }
        other => vec![other],
    }
}

fn piece_actions(piece: Piece, framing: Framing) -> Box<dyn Iterator<Item = Action> + Send> {
    match piece {
        Piece::Bytes(bytes) => Box::new(std::iter::once(Action::Send(framed(&bytes, framing)))),
        Piece::Wait(pause) => Box::new(std::iter::once(Action::Wait(pause))),
        Piece::Repeat { bytes, times } => {
            Box::new(std::iter::repeat_n(framed(&bytes, framing), times).map(Action::Send))
        }
    }
}

fn framed(bytes: &Bytes, framing: Framing) -> Bytes {
    if framing != Framing::Chunked || bytes.is_empty() {
        return bytes.clone();
    }
    let mut frame = BytesMut::with_capacity(bytes.len() + 16);
    frame.put_slice(format!("{:x}\r\n", bytes.len()).as_bytes());
    frame.put_slice(bytes);
    frame.put_slice(b"\r\n");
    frame.freeze()
}

/// Joins neighbouring writes up to a size, so that an ordinary answer is one write.
struct Joined<I> {
    actions: I,
    held: BytesMut,
    next: Option<Action>,
    apart: bool,
}

const JOIN_UP_TO: usize = 64 * 1024;

impl<I: Iterator<Item = Action>> Iterator for Joined<I> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if let Some(action) = self.next.take() {
            return Some(action);
        }
        loop {
            match self.actions.next() {
                Some(Action::Send(bytes)) if self.apart => return Some(Action::Send(bytes)),
                Some(Action::Send(bytes)) => {
                    self.held.put_slice(&bytes);
                    if self.held.len() >= JOIN_UP_TO {
                        return Some(Action::Send(self.held.split().freeze()));
                    }
                }
                other if self.held.is_empty() => return other,
                other => {
                    self.next = other;
                    return Some(Action::Send(self.held.split().freeze()));
                }
            }
        }
    }
}
