//! A model on loopback that answers at once, one thread per connection.
//!
//! What it says depends on the name of the model that is asked for: `text-20` is twenty words,
//! `rounds-3` three tool calls and then a word, `hang` one word and then silence.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

/// What the model saw, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A whole request had arrived.
    Request(Instant),
    /// The other side hung up in the middle of an answer.
    HungUp(Instant),
}

pub(crate) struct Model {
    address: SocketAddr,
    pub(crate) seen: Receiver<Seen>,
}

impl Model {
    /// Serves until the process ends.
    ///
    /// # Errors
    /// When there is no port on loopback.
    pub(crate) fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let (tell, seen) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let tell = tell.clone();
                // A connection that breaks is the end of its thread and of nothing else.
                std::thread::spawn(move || drop(serve(stream, &tell)));
            }
        });
        Ok(Self { address, seen })
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }
}

fn serve(mut stream: TcpStream, tell: &Sender<Seen>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut unread = Vec::new();
    while let Some(body) = read_body(&mut stream, &mut unread)? {
        // Whoever measures something else does not listen.
        let _ = tell.send(Seen::Request(Instant::now()));
        match Answer::to(&body) {
            Answer::Whole(text) => stream.write_all(text.as_bytes())?,
            Answer::Hang(text) => {
                stream.write_all(text.as_bytes())?;
                while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
                let _ = tell.send(Seen::HungUp(Instant::now()));
                return Ok(());
            }
        }
    }
    Ok(())
}

enum Answer {
    Whole(String),
    Hang(String),
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

impl Answer {
    fn to(body: &str) -> Self {
        let model = between(body, "\"model\":\"", "\"").unwrap_or_default();
        let (kind, count) = model.split_once('-').unwrap_or((model, "1"));
        let count: usize = count.parse().unwrap_or(1);
        let called = body.matches("\"role\":\"tool\"").count();
        match kind {
            "hang" => Self::Hang(format!("{HEAD}{}", chunk(&word("Once")))),
            "rounds" if called < count => Self::whole(&[call(called), finish("tool_calls")]),
            "rounds" => Self::whole(&[word("Done."), finish("stop")]),
            _ => {
                let mut events: Vec<String> = (0..count).map(|_| word("word ")).collect();
                events.push(finish("stop"));
                Self::whole(&events)
            }
        }
    }

    fn whole(events: &[String]) -> Self {
        let mut text = String::from(HEAD);
        for event in events {
            text.push_str(&chunk(event));
        }
        text.push_str(&chunk("data: [DONE]\n\n"));
        text.push_str("0\r\n\r\n");
        Self::Whole(text)
    }
}

fn word(text: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}},\"finish_reason\":null}}]}}\n\n")
}

/// Another file each time, so that nothing repeats.
fn call(number: usize) -> String {
    format!(
        "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"call_{number}\",\
         \"type\":\"function\",\"function\":{{\"name\":\"read_file\",\
         \"arguments\":\"{{\\\"path\\\":\\\"{number}.txt\\\"}}\"}}}}]}},\"finish_reason\":null}}]}}\n\n"
    )
}

fn finish(reason: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\n")
}

fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

/// The body of the next request; `None` when there is none.
fn read_body(stream: &mut TcpStream, unread: &mut Vec<u8>) -> std::io::Result<Option<String>> {
    let mut buffer = [0; 16 * 1024];
    loop {
        if let Some(end) = unread.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&unread[..end]).to_lowercase();
            let length: usize =
                between(&head, "content-length:", "\r\n").and_then(|text| text.trim().parse().ok()).unwrap_or(0);
            let whole = end + 4 + length;
            if unread.len() >= whole {
                let body = String::from_utf8_lossy(&unread[end + 4..whole]).into_owned();
                unread.drain(..whole);
                return Ok(Some(body));
            }
        }
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(None);
        }
        unread.extend_from_slice(&buffer[..count]);
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after).map_or(rest, |(found, _)| found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_calls_a_tool_as_often_as_its_name_says() {
        let text = |body: &str| match Answer::to(body) {
            Answer::Whole(text) | Answer::Hang(text) => text,
        };
        assert!(text(r#"{"model":"rounds-1","messages":[]}"#).contains("read_file"));
        assert!(text(r#"{"model":"rounds-1","messages":[{"role":"tool"}]}"#).contains("Done."));
        assert_eq!(text(r#"{"model":"text-20"}"#).matches("word ").count(), 20);
    }
}
