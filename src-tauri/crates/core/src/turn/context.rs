//! How much of the conversation goes into a request.
//!
//! Nothing is taken out of the store: what is left out here is left out of one request. Results of
//! tools and what was attached earlier go first, then the oldest turns, of which a list of what they were about stays.

use crate::attached;
use crate::ports::{Entry, ModelMessage, ModelRequest, StoredTurn};
use crate::turn::contents::Contents;
use crate::turn::history::messages_of;
use namma_protocol::ToolOutcome;

/// What an image costs at least, whatever its size.
const TOKENS_OF_IMAGE: f64 = 1500.0;

/// A result longer than this is shortened when room is needed.
const SHORT_RESULT_BYTES: usize = 800;

/// Turns are left out this many at a time, so that the rest stays the same for a while and the
/// vendor's cache can hit.
const TURNS_AT_A_TIME: usize = 8;

/// The list of what is left out names so many turns at most, and takes this part of the room: whole
/// exchanges are worth more.
const NAMED_TURNS: usize = 40;
const LIST_SHARE: usize = 8;

/// The conversation of a request, and what it leaves out.
pub(super) struct Fitted {
    pub(super) messages: Vec<ModelMessage>,
    pub(super) left_out: Option<LeftOut>,
}

/// What a request leaves out, the lesser first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeftOut {
    /// Parts of results, and contents of what was attached.
    Details,
    Turns,
}

/// The conversation in at most `room` tokens by `count`, as far as that can be had.
pub(super) fn fit(
    past: &[StoredTurn],
    now: &StoredTurn,
    contents: &Contents,
    room: Option<u32>,
    count: impl Fn(&[ModelMessage]) -> u32,
) -> Fitted {
    let fits = |messages: &[ModelMessage]| room.is_none_or(|room| count(messages) <= room);
    let whole = conversation(past, contents, (now, contents), "");
    if fits(&whole) {
        return Fitted { messages: whole, left_out: None };
    }
    let named = Contents::default();
    let past: Vec<StoredTurn> = past.iter().map(|turn| with_results(turn, |_| SHORT_RESULT_BYTES)).collect();
    let list_bytes = room.map_or(usize::MAX, |room| room as usize * 4 / LIST_SHARE);
    let mut left_out = 0;
    loop {
        let list = digest(&past[..left_out], list_bytes);
        let messages = conversation(&past[left_out..], &named, (now, contents), &list);
        if fits(&messages) {
            let left_out = if left_out == 0 { LeftOut::Details } else { LeftOut::Turns };
            return Fitted { messages, left_out: Some(left_out) };
        }
        if left_out == past.len() {
            break;
        }
        // Of the newest ones as many stay as can.
        left_out += if past.len() - left_out > TURNS_AT_A_TIME { TURNS_AT_A_TIME } else { 1 };
    }
    let list = digest(&past, list_bytes);
    let left_out = Some(if past.is_empty() { LeftOut::Details } else { LeftOut::Turns });
    // The newest result is what the model waits for: it goes last, and only as far as it must.
    let mut newest_bytes = usize::MAX;
    loop {
        let short = with_results(now, |newer| if newer == 0 { newest_bytes } else { SHORT_RESULT_BYTES });
        let messages = conversation(&[], &named, (&short, contents), &list);
        if fits(&messages) {
            return Fitted { messages, left_out };
        }
        if newest_bytes <= SHORT_RESULT_BYTES {
            return Fitted { messages: conversation(&[], &named, (&short, &named), &list), left_out };
        }
        newest_bytes = newest_bytes.min(newest_result_bytes(now)) / 2;
    }
}

fn conversation(
    past: &[StoredTurn],
    past_contents: &Contents,
    now: (&StoredTurn, &Contents),
    digest: &str,
) -> Vec<ModelMessage> {
    let past = past.iter().map(|turn| (turn, past_contents));
    let mut messages = messages_of(past.chain([now]));
    if let (Some(ModelMessage::User { text, .. }), false) = (messages.first_mut(), digest.is_empty()) {
        *text = format!("{digest}\n\n{text}");
    }
    messages
}

/// The turn with its long results cut to so many bytes each, by how many results are newer.
fn with_results(turn: &StoredTurn, most_bytes: impl Fn(usize) -> usize) -> StoredTurn {
    let mut turn = turn.clone();
    let results = turn.entries.iter_mut().rev().filter_map(|entry| match entry {
        Entry::Result { call_id, outcome: ToolOutcome::Succeeded { content }, .. } => Some((call_id, content)),
        _ => None,
    });
    for (newer, (call_id, content)) in results.enumerate() {
        let most = most_bytes(newer).max(SHORT_RESULT_BYTES);
        if content.len() > most {
            // The note takes room, too.
            let head = &content[..content.floor_char_boundary(most - SHORT_RESULT_BYTES / 2)];
            *content = format!(
                "{head}\n[… shortened, {} bytes in all; open_result with the id {call_id} shows the rest …]",
                content.len()
            );
        }
    }
    turn
}

fn newest_result_bytes(turn: &StoredTurn) -> usize {
    let newest = turn.entries.iter().rev().find_map(|entry| match entry {
        Entry::Result { outcome: ToolOutcome::Succeeded { content }, .. } => Some(content.len()),
        _ => None,
    });
    newest.unwrap_or(0)
}

/// What the turns that are left out were about.
fn digest(left_out: &[StoredTurn], most_bytes: usize) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let mut bytes = 0;
    let mut lines: Vec<String> = Vec::new();
    for turn in left_out.iter().rev().take(NAMED_TURNS) {
        let answer = turn.entries.iter().rev().find_map(|entry| match entry {
            Entry::Assistant { text, .. } if !text.trim().is_empty() => Some(text.as_str()),
            _ => None,
        });
        let answer = answer.map_or_else(|| "no answer".to_owned(), |text| line(text, 160));
        let question = attached::question(&turn.turn.user_text, &turn.turn.attachments);
        let named = format!("- {} → {answer}", line(&question, 120));
        bytes += named.len();
        if bytes > most_bytes {
            break;
        }
        lines.insert(0, named);
    }
    format!(
        "[The {} oldest exchanges of this chat are left out here for want of room. The newest of them, question and \
         beginning of the answer:\n{}]",
        left_out.len(),
        lines.join("\n")
    )
}

fn line(text: &str, most: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = flat.chars().take(most).collect();
    if cut.len() < flat.len() {
        cut.push('…');
    }
    cut
}

/// Calls and results as plain text, for a request that offers no tools: vendors refuse a
/// conversation with calls in it then.
pub(super) fn without_calls(messages: Vec<ModelMessage>) -> Vec<ModelMessage> {
    let mut plain: Vec<ModelMessage> = Vec::with_capacity(messages.len());
    for message in messages {
        let message = match message {
            ModelMessage::Assistant { mut text, calls, .. } => {
                for call in calls {
                    let gap = if text.is_empty() { "" } else { "\n" };
                    text.push_str(&format!("{gap}[called {} with {}]", call.name, call.arguments));
                }
                ModelMessage::Assistant { text, calls: Vec::new(), replay: None }
            }
            ModelMessage::ToolResult { tool, content, images, .. } => {
                ModelMessage::User { text: format!("[result of {tool}]\n{content}"), images }
            }
            user @ ModelMessage::User { .. } => user,
        };
        match (plain.last_mut(), message) {
            (Some(ModelMessage::User { text: before, images: seen }), ModelMessage::User { text, images }) => {
                before.push_str("\n\n");
                before.push_str(&text);
                seen.extend(images);
            }
            (_, message) => plain.push(message),
        }
    }
    plain
}

/// The conversation for a model that cannot see.
pub(super) fn without_images(messages: &mut [ModelMessage]) {
    for message in messages {
        let (text, images) = match message {
            ModelMessage::User { text, images } => (text, images),
            ModelMessage::ToolResult { content, images, .. } => (content, images),
            ModelMessage::Assistant { .. } => continue,
        };
        for _ in images.drain(..) {
            text.push_str("\n[An image was here. This model cannot see images; say so if it matters.]");
        }
    }
}

pub(super) fn has_images(messages: &[ModelMessage]) -> bool {
    messages.iter().any(|message| match message {
        ModelMessage::User { images, .. } | ModelMessage::ToolResult { images, .. } => !images.is_empty(),
        ModelMessage::Assistant { .. } => false,
    })
}

/// Guesses tokens, and learns from what the vendor counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    ratio: f64,
}

impl Default for Meter {
    fn default() -> Self {
        Self { ratio: 1.0 }
    }
}

impl Meter {
    /// Everything of a request.
    pub(super) fn request(&self, request: &ModelRequest) -> u32 {
        self.apart_from_messages(request).saturating_add(self.messages(&request.messages))
    }

    /// Its system prompt and its tools.
    pub(super) fn apart_from_messages(&self, request: &ModelRequest) -> u32 {
        let tools = request.tools.iter().map(|tool| {
            let schema = tool.parameters.to_string();
            guess(&tool.name) + guess(&tool.description) + guess(&schema) + 8.0
        });
        self.corrected(guess(&request.system) + tools.sum::<f64>())
    }

    pub(super) fn messages(&self, messages: &[ModelMessage]) -> u32 {
        #[allow(clippy::cast_precision_loss, reason = "a guess")]
        let of_images = |images: usize| images as f64 * TOKENS_OF_IMAGE;
        let all: f64 = messages
            .iter()
            .map(|message| match message {
                ModelMessage::User { text, images } => guess(text) + of_images(images.len()) + 4.0,
                ModelMessage::Assistant { text, calls, .. } => {
                    let calls = calls.iter().map(|call| guess(&call.name) + guess(&call.arguments) + 12.0);
                    guess(text) + calls.sum::<f64>() + 4.0
                }
                ModelMessage::ToolResult { content, images, .. } => guess(content) + of_images(images.len()) + 12.0,
            })
            .sum();
        self.corrected(all)
    }

    /// The vendor counted `counted` where `before`, which may have learned less, guessed `guessed`.
    pub(super) fn learn(&mut self, before: Self, guessed: u32, counted: u32) {
        // Small requests say little, and a count of nothing is none.
        if guessed < 50 || counted < 50 {
            return;
        }
        self.ratio = (before.ratio * f64::from(counted) / f64::from(guessed)).clamp(0.3, 4.0);
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a guess, never below zero")]
    fn corrected(&self, tokens: f64) -> u32 {
        (tokens * self.ratio).ceil() as u32
    }
}

/// Four letters of English are a token; other scripts take more.
#[allow(clippy::cast_precision_loss, reason = "a guess")]
fn guess(text: &str) -> f64 {
    let (mut plain, mut other) = (0_usize, 0_usize);
    for byte in text.bytes() {
        if byte.is_ascii() {
            plain += 1;
        } else if byte >= 0xC0 {
            other += 1; // the first byte of a character
        }
    }
    plain as f64 / 3.8 + other as f64 * 0.9
}

/// What a vendor says of a request that was too long, by the numbers in its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complaint {
    /// The share of the request that may fit.
    pub(super) share: f64,
    /// The longest conversation that the model takes.
    pub(super) window: Option<u32>,
}

/// The larger number is what was sent, the smaller one what the model takes.
pub(super) fn complaint(message: &str) -> Complaint {
    let numbers: Vec<u64> = message
        .replace(',', "")
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .filter(|number| (256..100_000_000).contains(number))
        .collect();
    let (takes, sent, window) = match numbers[..] {
        // `190000 + 20000 > 200000`: what was sent and the answer, and the window.
        [.., sent, answer, window] if message.contains(" + ") && message.contains(" > ") => {
            (window - answer.min(window / 4), sent, window)
        }
        [_, _, ..] => {
            let least = numbers.iter().min().copied().unwrap_or(0);
            (least, numbers.iter().max().copied().unwrap_or(0), least)
        }
        _ => (0, 0, 0),
    };
    if takes >= sent {
        return Complaint { share: 0.5, window: None };
    }
    #[allow(clippy::cast_precision_loss, reason = "a share")]
    let share = takes as f64 / sent as f64 * 0.85;
    Complaint { share: share.max(0.05), window: u32::try_from(window).ok() }
}

#[cfg(test)]
mod tests;
