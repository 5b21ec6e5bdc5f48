//! The head and the tail of a stream, whatever its length.

use std::collections::VecDeque;
use tokio::time::{Duration, Instant};

const HEAD_BYTES: usize = 32 << 10;
const TAIL_BYTES: usize = 32 << 10;
/// A person reads no faster.
const BETWEEN_LINES: Duration = Duration::from_millis(250);
const MAX_LINE_CHARS: usize = 200;

#[derive(Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    shown: Option<Instant>,
}

impl Capture {
    /// Takes a piece. Answers its last whole line when it is time to show one.
    pub(super) fn take(&mut self, piece: &[u8]) -> Option<String> {
        self.total += piece.len() as u64;
        let (head, rest) = piece.split_at(piece.len().min(HEAD_BYTES - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(TAIL_BYTES)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(TAIL_BYTES);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
        self.line_to_show(piece)
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// What is kept, as text, and whether something in the middle was left out.
    pub(super) fn finish(&mut self) -> (String, bool) {
        let left_out = self.total - (self.head.len() + self.tail.len()) as u64;
        let tail = self.tail.make_contiguous();
        if left_out == 0 {
            return (String::from_utf8_lossy(&[&self.head, &*tail].concat()).into_owned(), false);
        }
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(tail));
        (format!("{head}\n[… {left_out} bytes left out …]\n{tail}"), true)
    }

    fn line_to_show(&mut self, piece: &[u8]) -> Option<String> {
        let now = Instant::now();
        if self.shown.is_some_and(|shown| now < shown + BETWEEN_LINES) {
            return None;
        }
        let end = piece.iter().rposition(|byte| *byte == b'\n')?;
        let start = piece[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = strip_ansi_escapes::strip_str(String::from_utf8_lossy(&piece[start..end]));
        let line: String = line.trim().chars().filter(|c| !c.is_control()).take(MAX_LINE_CHARS).collect();
        if line.is_empty() {
            return None;
        }
        self.shown = Some(now);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_output_is_kept_whole_across_pieces() {
        let mut capture = Capture::default();
        let text = "ನಮ್ಮ ".repeat(4000);
        for piece in text.as_bytes().chunks(7) {
            capture.take(piece);
        }
        assert_eq!(capture.finish(), (text, false));
    }

    #[test]
    fn a_long_output_keeps_head_and_tail() {
        let mut capture = Capture::default();
        for number in 0..100_000 {
            capture.take(format!("{number}\n").as_bytes());
        }
        let (text, truncated) = capture.finish();
        assert!(truncated);
        assert!(text.starts_with("0\n1\n2\n"), "the head");
        assert!(text.ends_with("99998\n99999\n"), "the tail");
        assert!(text.contains("bytes left out"), "says that something is missing");
        assert!(text.len() < HEAD_BYTES + TAIL_BYTES + 100, "is bounded");
    }

    #[test]
    fn what_is_not_text_is_replaced() {
        let mut capture = Capture::default();
        capture.take(b"a\xff\xfeb");
        assert_eq!(capture.finish(), ("a\u{fffd}\u{fffd}b".into(), false));
    }

    #[tokio::test(start_paused = true)]
    async fn lines_are_shown_now_and_then_without_escapes() {
        let mut capture = Capture::default();
        assert_eq!(capture.take(b"one\n\x1b[31mtwo\x1b[0m\nthr"), Some("two".into()));
        assert_eq!(capture.take(b"ee\n"), None, "too soon");
        tokio::time::advance(BETWEEN_LINES).await;
        assert_eq!(capture.take(b"four\n"), Some("four".into()));
    }
}
