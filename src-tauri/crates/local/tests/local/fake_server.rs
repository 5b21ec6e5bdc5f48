//! llama-server as far as we use it, played by this program. The name of the model says how it
//! behaves:
//!
//! | name | what it does |
//! |---|---|
//! | `dies` | says that memory is short, and ends |
//! | `breaks` | ends in the middle of its first answer; the second server of it does not |
//! | `slow` | takes half a second to load |
//! | `stiff` | finishes no trial with a single thread |
//! | anything else | answers with its name |

use std::collections::HashMap;
use std::io::Write;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Whether this program was started as the server.
pub(crate) fn is_asked() -> bool {
    std::env::args().nth(1).as_deref() == Some("--model")
}

struct Role {
    name: String,
    key: String,
    threads: u64,
    number: usize,
    began: Instant,
}

pub(crate) async fn serve() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flags: HashMap<&str, &str> =
        arguments.chunks(2).filter(|pair| pair.len() == 2).map(|pair| (pair[0].as_str(), pair[1].as_str())).collect();
    let log = format!("{}.starts", flags["--model"]);
    let mut starts = std::fs::File::options().create(true).append(true).open(&log).unwrap();
    writeln!(starts, "{}", arguments.join(" ")).unwrap();
    let role = Role {
        name: flags["--alias"].into(),
        key: std::env::var("LLAMA_API_KEY").unwrap(),
        threads: flags["--threads"].parse().unwrap(),
        number: std::fs::read_to_string(&log).unwrap().lines().count(),
        began: Instant::now(),
    };
    if role.name == "dies" {
        eprintln!("the memory is too short for this model");
        std::process::exit(1);
    }
    let listener = TcpListener::bind(("127.0.0.1", flags["--port"].parse().unwrap())).await.unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        role.answer(stream).await;
    }
}

impl Role {
    async fn answer(&self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream).await else { return };
        let line = request.lines().next().unwrap_or_default().to_owned();
        let is_loading = self.name == "slow" && self.began.elapsed() < Duration::from_millis(500);
        let has_key = request.to_lowercase().contains(&format!("authorization: bearer {}", self.key));
        let (status, body) = if is_loading {
            (503, "{}".to_owned())
        } else if line.contains("/health") {
            (200, "{}".to_owned())
        } else if !has_key {
            (401, "{}".to_owned())
        } else if line.contains("/completion ") {
            if self.name == "stiff" && self.threads == 1 {
                std::future::pending::<()>().await;
            }
            let took = 1000 / self.threads;
            (200, format!("{{\"timings\":{{\"prompt_ms\":{took},\"predicted_ms\":{took}}}}}"))
        } else {
            (200, self.words())
        };
        let kind = if body.starts_with("data:") { "text/event-stream" } else { "application/json" };
        let head = format!(
            "HTTP/1.1 {status} OK\r\ncontent-type: {kind}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            // An answer that breaks promises more than comes.
            body.len() + if self.is_broken() && kind != "application/json" { 100 } else { 0 }
        );
        // Whoever asked may have gone.
        let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        let _ = stream.flush().await;
        if self.is_broken() && kind == "text/event-stream" {
            eprintln!("something is broken");
            tokio::time::sleep(Duration::from_millis(100)).await;
            std::process::abort();
        }
    }

    fn is_broken(&self) -> bool {
        self.name == "breaks" && self.number == 1
    }

    fn words(&self) -> String {
        let chunk = |delta: &str, finish: &str| {
            format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{finish}}}]}}\n\n")
        };
        let words = chunk(&format!("{{\"content\":\"{}\"}}", self.name), "null");
        if self.is_broken() { words } else { format!("{words}{}data: [DONE]\n\n", chunk("{}", "\"stop\"")) }
    }
}

async fn read(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_lowercase()
                .split_once("content-length: ")
                .map_or(0, |(_, rest)| rest.split("\r\n").next().unwrap_or_default().parse().unwrap_or(0));
            if body.len() >= length {
                return Some(text);
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
