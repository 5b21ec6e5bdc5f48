//! Answers, styles and framings by chance.

use namma_testkit::wire::{
    ChatArguments, ChatIds, ChatIndex, ChatStyle, ChatThinking, ChatUsage, ContentsStyle, Framing, MessagesInput,
    MessagesStyle, ResponsesStyle, Wire, WireAnswer, WireEnd, WirePart,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Words that look like something else. None begins with space, which a block of thinking would eat.
const WORDS: [&str; 14] = [
    "word ",
    "ಕನ್ನಡ 🙏🏽 ",
    "\"quoted\" \\ \r\n\t.",
    "data: [DONE]\n\n",
    "[DONE]",
    "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>",
    "```json\n{\"name\": \"read_file\", \"arguments\": {}}\n```",
    "{\"tool_calls\":[]}",
    "a <think>b</think> c",
    "<thing>",
    "event: error\ndata: {\"error\":1}",
    "\u{0}\u{2028}\u{feff}",
    "functions.f:0{}",
    "x",
];

const THOUGHTS: [&str; 5] = ["hm", "ಯೋಚಿಸು 🤔", "a < b </ c", "\"so\"\n\n", "{}"];

fn arguments() -> impl Strategy<Value = Value> {
    select(vec![
        json!({}),
        json!({ "path": "ಕಡತ.txt" }),
        json!({ "a": 1, "b": [true, null, "\u{1}"], "c": { "d": -1.5 } }),
        json!({ "text": "\"}{\"} 🙏 data: x\n\n" }),
        json!({ "": "", "n": 9_007_199_254_740_993_u64 }),
    ])
}

fn part() -> impl Strategy<Value = WirePart> {
    prop_oneof![
        3 => select(WORDS.to_vec()).prop_map(|word| WirePart::Text(word.to_owned())),
        2 => select(THOUGHTS.to_vec()).prop_map(|thought| WirePart::Thinking(thought.to_owned())),
        2 => (select(vec!["f", "read_file", "list-dir"]), arguments())
            .prop_map(|(name, arguments)| WirePart::Call { name: name.to_owned(), arguments }),
    ]
}

pub(super) fn answer() -> impl Strategy<Value = WireAnswer> {
    (prop::collection::vec(part(), 1..8), 1_u32..1_000_000, 2_u32..9000, prop::bool::weighted(0.2)).prop_map(
        |(parts, input_tokens, output_tokens, is_cut)| {
            let end = if is_cut { WireEnd::Length } else { WireEnd::Whole };
            WireAnswer { parts, input_tokens, output_tokens, end }
        },
    )
}

fn chat() -> impl Strategy<Value = Wire> {
    let shape = (
        select(vec![ChatIndex::FromZero, ChatIndex::FromOne, ChatIndex::Missing, ChatIndex::AllZero]),
        select(vec![ChatIds::First, ChatIds::Each, ChatIds::Null]),
        select(vec![
            ChatArguments::Pieces,
            ChatArguments::NullThenPieces,
            ChatArguments::PiecesThenEmpty,
            ChatArguments::Whole,
            ChatArguments::Object,
        ]),
        select(vec![ChatThinking::ReasoningContent, ChatThinking::Reasoning, ChatThinking::Tags, ChatThinking::Parts]),
        select(vec![ChatUsage::Last, ChatUsage::WithFinish, ChatUsage::Each]),
    );
    let habits = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (shape, habits)
        .prop_map(|((index, ids, arguments, thinking, usage), habits)| {
            let (repeats_names, interleaves, glues_calls, begins_empty, finishes_twice, has_done) = habits;
            ChatStyle {
                index,
                ids,
                arguments,
                thinking,
                usage,
                repeats_names,
                interleaves,
                glues_calls,
                begins_empty,
                finishes_twice,
                has_done,
            }
        })
        .prop_filter("nobody could tell the calls apart", ChatStyle::is_clear)
        .prop_map(Wire::Chat)
}

fn messages() -> impl Strategy<Value = Wire> {
    let input = select(vec![MessagesInput::Pieces, MessagesInput::MissingThenPieces, MessagesInput::Whole]);
    (input, any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(input, overlaps, begins_with_text, has_unknown, has_stop)| {
            Wire::Messages(MessagesStyle { input, overlaps, begins_with_text, has_unknown, has_stop })
        },
    )
}

fn contents() -> impl Strategy<Value = Wire> {
    any::<[bool; 6]>().prop_map(|[is_whole, stops_with_part, counts_each, has_ids, leaves_out_args, has_others]| {
        Wire::Contents(ContentsStyle { is_whole, stops_with_part, counts_each, has_ids, leaves_out_args, has_others })
    })
}

fn responses() -> impl Strategy<Value = Wire> {
    any::<[bool; 6]>().prop_map(|[has_deltas, has_items, ends_arguments, repeats_output, has_obfuscation, has_done]| {
        let style = ResponsesStyle { has_deltas, has_items, ends_arguments, repeats_output, has_obfuscation, has_done };
        Wire::Responses(style)
    })
}

pub(super) fn wire() -> impl Strategy<Value = Wire> {
    prop_oneof![2 => chat(), 1 => messages(), 1 => contents(), 1 => responses()]
}

pub(super) fn framing() -> impl Strategy<Value = Framing> {
    (select(vec!["\n", "\r\n", "\r"]), any::<[bool; 5]>()).prop_map(
        |(line_end, [has_bom, is_chatty, has_names, is_padded, has_last_blank])| Framing {
            line_end,
            has_bom,
            is_chatty,
            has_names,
            is_padded,
            has_last_blank,
        },
    )
}

/// The bytes in pieces that end at these shares of the whole.
pub(super) fn split<'a>(bytes: &'a [u8], shares: &[f64]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = shares.iter().map(|share| (bytes.len() as f64 * share) as usize).collect();
    cuts.push(bytes.len());
    cuts.sort_unstable();
    let mut from = 0;
    let piece = |to: usize| &bytes[std::mem::replace(&mut from, to)..to];
    cuts.into_iter().map(piece).collect()
}
