//! What real servers sent: the recordings inside the crate `genai`, read where cargo keeps the
//! sources of crates. They are not ours and not in this repository.

#![allow(clippy::disallowed_methods, reason = "looks where cargo keeps its sources")]

use crate::support::{Step, adapter, ask, question};
use namma_core::ports::ProviderError;
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::Wire;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

// The set-up brings the same, `xtask/src/recordings.rs`.
const PACKAGE: &str = "genai";
const VERSION: &str = "0.7.2";

/// The recordings. A test asks no network; the set-up brings them.
fn recordings() -> PathBuf {
    find().unwrap_or_else(|| {
        panic!(
            "the recordings are not here: run `cargo info {PACKAGE}@{VERSION}` once, where there is a network; it \
             puts them beside the other crates, and `cargo xtask test` does it by itself"
        )
    })
}

/// Where cargo unpacks crates there is a folder for each registry.
fn find() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    let place = Path::new(&format!("{PACKAGE}-{VERSION}")).join("tests/data/yakbak");
    registries.flatten().map(|registry| registry.path().join(&place)).find(|folder| folder.is_dir())
}

/// The dialect of a folder, and how its server names a stream.
fn spoken(folder: &str) -> (Wire, &'static str) {
    let [chat, messages, contents, responses] = Wire::usual();
    match folder.split('/').next().unwrap_or_default() {
        "anthropic" => (messages, "text/event-stream"),
        "opencode_go" if folder.contains("minimax") => (messages, "text/event-stream"),
        // Amazon's own frames, around something like Anthropic's words.
        "bedrock" => (messages, "application/vnd.amazon.eventstream"),
        "gemini" | "gemini_ix" => (contents, "text/event-stream"),
        "openai_resp" => (responses, "text/event-stream"),
        // Its own API, which is not the one that we speak with it.
        "ollama" | "ollama_cloud" => (chat, "application/x-ndjson"),
        _ => (chat, "text/event-stream"),
    }
}

/// The step in one line: letters of text and thinking, the calls, the tokens, the end.
fn in_short(step: &Step) -> String {
    let mut line = format!("{} text, {} thinking", step.text.chars().count(), step.thinking.chars().count());
    let mut add = |part: std::fmt::Arguments<'_>| line.write_fmt(part).expect("a String takes all");
    for (name, arguments) in &step.calls {
        add(format_args!(", {name} {arguments}"));
    }
    if let Some(usage) = &step.usage {
        add(format_args!(
            ", {}/{}/{}/{}",
            usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.reasoning_tokens
        ));
    }
    match (&step.stop, &step.error) {
        (Some(reason), None) => add(format_args!(", {reason:?}")),
        (None, Some(ProviderError::StreamCut { .. })) => add(format_args!(", cut")),
        (None, Some(ProviderError::Malformed { .. })) => add(format_args!(", malformed")),
        (None, Some(ProviderError::ServerFailed { message, .. })) => add(format_args!(", failed: {message}")),
        other => add(format_args!(", {other:?}")),
    }
    line
}

async fn step_of(folder: &Path, name: &str) -> String {
    let (wire, stream) = spoken(name);
    let body = std::fs::read(folder.join(name)).expect("a recording");
    let content_type = if body.starts_with(b"{") && !stream.ends_with("ndjson") { "application/json" } else { stream };
    let server = SseServer::replays([Reply::body(200, content_type, body)]).await;
    in_short(&ask(&adapter(&server, &wire), question("hello")).await)
}

#[tokio::test]
async fn each_recording_is_heard_as_its_server_meant_it() {
    let folder = recordings();
    let mut wrong = Vec::new();
    for (name, expected) in HEARD {
        let found = step_of(&folder, &format!("{name}.txt")).await;
        if found != *expected {
            wrong.push(format!("{name}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_recording_is_left_out() {
    let folder = recordings();
    let mut found = BTreeSet::new();
    for vendor in folders(&folder) {
        for scene in folders(&vendor) {
            for file in std::fs::read_dir(&scene).expect("a folder of recordings").flatten() {
                let path = file.path();
                let name = path.strip_prefix(&folder).expect("it is inside").with_extension("");
                if name.file_name().is_some_and(|name| name.to_string_lossy().starts_with("response_")) {
                    found.insert(name.display().to_string());
                }
            }
        }
    }
    let listed: BTreeSet<String> = HEARD.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, listed);
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of recordings").flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// Each recording, and what it says.
const HEARD: &[(&str, &str)] = &[
    ("aihubmix/chat_stream/response_000", "6 text, 0 thinking, 15/0/3/0, End"),
    ("anthropic/max_tokens_tool_regression/response_000", "0 text, 0 thinking, 20/0/20/0, Length"),
    ("anthropic/ping_stream/response_000", "6 text, 0 thinking, 25/0/15/0, End"),
    (
        "anthropic/redacted_thinking_tool_stream/response_000",
        r#"0 text, 24 thinking, get_weather {"city":"Cairo","country":"Egypt","unit":"C"}, 13/0/9/0, ToolCalls"#,
    ),
    ("anthropic/redacted_thinking_tool_stream/response_001", "22 text, 0 thinking, 21/0/4/0, End"),
    (
        "anthropic/thinking_adjudication_tool_stream/response_000",
        r#"67 text, 0 thinking, Read {"path": "libavcodec/h264_slice.c", "offset": 2300, "limit": 120}, Grep {"pattern": "current_slice", "glob": "*.c"}, 2995/0/200/0, ToolCalls"#,
    ),
    (
        "anthropic/thinking_adjudication_tool_stream/response_001",
        r#"0 text, 343 thinking, Read {"path": "libavcodec/h264_picture.c", "offset": 210, "limit": 40}, Read {"path": "libavcodec/h264_slice.c", "offset": 1940, "limit": 70}, Grep {"pattern": "MAX_SLICES|slice_table", "glob": "*.c"}, 6415/0/370/0, ToolCalls"#,
    ),
    (
        "anthropic/thinking_signature_variants_stream/response_000",
        r#"0 text, 25 thinking, get_weather {"city":"Cairo","country":"Egypt","unit":"C"}, 11/0/9/0, ToolCalls"#,
    ),
    ("anthropic/thinking_signature_variants_stream/response_001", "22 text, 0 thinking, 19/0/4/0, End"),
    (
        "anthropic/thinking_tool_non_stream/response_000",
        r#"0 text, 312 thinking, get_weather {"city":"Cairo","country":"Egypt","unit":"C"}, 227/227/155/0, ToolCalls"#,
    ),
    (
        "anthropic/thinking_tool_stream/response_000",
        r#"68 text, 301 thinking, get_weather {"city":"Cairo","country":"Egypt","unit":"C"}, 227/227/175/0, ToolCalls"#,
    ),
    ("anthropic/thinking_tool_stream/response_001", "46 text, 67 thinking, 434/0/46/0, End"),
    (
        "anthropic/tool_stream/response_000",
        r#"0 text, 0 thinking, get_weather {"city": "Paris", "country": "France", "unit": "C"}, 85/0/42/0, ToolCalls"#,
    ),
    ("anthropic/usage_cache_creation_stream/response_000", "3 text, 0 thinking, 4211/0/5/0, End"),
    ("anthropic/usage_cache_stream/response_000", "3 text, 0 thinking, 4211/4202/5/0, End"),
    ("anthropic/usage_stream/response_000", "154 text, 0 thinking, 19/0/34/0, End"),
    ("bedrock/claude_thinking_tool_stream/response_000", "0 text, 0 thinking, cut"),
    ("bedrock/claude_thinking_tool_stream/response_001", "0 text, 0 thinking, cut"),
    ("bedrock/reasoning_tool_non_stream/response_000", "0 text, 0 thinking, malformed"),
    ("bedrock/reasoning_tool_stream/response_000", "0 text, 0 thinking, cut"),
    ("bedrock/reasoning_tool_stream/response_001", "0 text, 0 thinking, cut"),
    (
        "gemini/builtin_with_functions/response_000",
        r#"0 text, 0 thinking, get_weather {"unit":"C","city":"Cairo"}, 90/0/98/76, ToolCalls"#,
    ),
    (
        "gemini/function_call_id_regression/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Cairo"}, 10/0/5/0, ToolCalls"#,
    ),
    ("gemini/function_call_id_regression/response_001", "6 text, 0 thinking, End"),
    (
        "gemini/multi_turn_thought_signatures/response_000",
        r#"53 text, 0 thinking, get_weather {"country":"EG","city":"Cairo","unit":"C"}, 158/0/341/302, ToolCalls"#,
    ),
    (
        "gemini/multi_turn_thought_signatures/response_001",
        r#"82 text, 0 thinking, get_weather {"unit":"C","country":"EG","city":"Cairo"}, 547/0/156/111, ToolCalls"#,
    ),
    ("gemini/multi_turn_thought_signatures/response_002", "131 text, 0 thinking, 753/0/128/93, End"),
    (
        "gemini/nonstream_signature_regression/response_000",
        r#"20 text, 0 thinking, get_weather {"city":"Cairo"}, 10/0/5/0, ToolCalls"#,
    ),
    ("gemini/thinking_stream/response_000", "216 text, 1604 thinking, 12/0/732/697, End"),
    (
        "gemini/tool_stream/response_000",
        r#"440 text, 322 thinking, get_weather {"country":"Egypt","unit":"C","city":"Cairo"}, 135/0/362/226, ToolCalls"#,
    ),
    ("gemini/url_context_stream/response_000", "117 text, 0 thinking, 62/0/209/158, End"),
    ("gemini_ix/stateful_session/response_000", "0 text, 0 thinking, malformed"),
    ("gemini_ix/stateful_session/response_001", "0 text, 0 thinking, malformed"),
    ("gemini_ix/tool_full_flow/response_000", "0 text, 0 thinking, malformed"),
    ("gemini_ix/tool_full_flow/response_001", "0 text, 0 thinking, malformed"),
    ("gemini_ix/tool_stream/response_000", "0 text, 0 thinking, cut"),
    ("github_copilot/simple_stream/response_000", "138 text, 0 thinking, End"),
    (
        "github_copilot/tool_stream/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Paris","country":"France","unit":"C"}, ToolCalls"#,
    ),
    ("mistral/thinking_chunks_regression/response_000", "3 text, 14 thinking, End"),
    ("ollama/cached_usage/response_000", "0 text, 0 thinking, cut"),
    ("ollama/cached_usage_stream/response_000", "0 text, 0 thinking, cut"),
    ("ollama/ndjson_multi_event_stream/response_000", "0 text, 0 thinking, cut"),
    ("ollama_cloud/simple_stream/response_000", "0 text, 0 thinking, cut"),
    (
        "open_router/reasoning_details_regression/response_000",
        r#"0 text, 11 thinking, read_file {"path":"/runbook"}, 10/0/5/0, ToolCalls"#,
    ),
    (
        "openai/stream_tool_call_with_finish_reason/response_000",
        r#"0 text, 0 thinking, get_weather {"city": "Paris", "country": "France", "unit": "C"}, 163/0/11/0, ToolCalls"#,
    ),
    (
        "openai_resp/arguments_on_done_regression/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Paris"}, 12/0/8/0, ToolCalls"#,
    ),
    ("openai_resp/custom_grammar_tool/response_000", "0 text, 0 thinking, 358/0/68/8, End"),
    ("openai_resp/custom_grammar_tool/response_001", "5 text, 0 thinking, 431/0/6/0, End"),
    ("openai_resp/incomplete_tool_regression/response_000", "0 text, 0 thinking, 12/0/8/0, Length"),
    (
        "openai_resp/multi_tool_ordering/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Paris","country":"France","unit":"C"}, get_time {"timezone":"Europe/Paris"}, get_currency {"from":"USD","to":"EUR","amount":100}, 150/0/80/10, ToolCalls"#,
    ),
    (
        "openai_resp/nonstream_reasoning_regression/response_000",
        r#"0 text, 12 thinking, get_weather {"city":"Paris"}, 12/0/8/0, ToolCalls"#,
    ),
    ("openai_resp/reasoning_stream/response_000", "183 text, 0 thinking, 21/0/45/8, End"),
    ("openai_resp/reasoning_stream_completed_empty/response_000", "183 text, 0 thinking, 21/0/45/8, End"),
    (
        "openai_resp/reasoning_stream_tools/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Paris","country":"France","unit":"C"}, 106/0/45/17, ToolCalls"#,
    ),
    ("openai_resp/reasoning_summary_capture/response_000", "234 text, 488 thinking, 32/0/107/11, End"),
    ("openai_resp/stream_error/response_000", "0 text, 0 thinking, failed: Something went wrong"),
    ("openai_resp/stream_error_after_delta/response_000", "14 text, 0 thinking, failed: Something went wrong"),
    (
        "openai_resp/tools_completed_no_output_field/response_000",
        r#"0 text, 0 thinking, get_weather {"city":"Paris","country":"France","unit":"C"}, 82/0/26/0, ToolCalls"#,
    ),
    ("openai_resp/utf8_chunking_bug/response_000", "7552 text, 0 thinking, 10/0/50/0, End"),
    ("opencode_go/minimax_chat/response_000", "6 text, 76 thinking, 26/0/23/0, End"),
    ("opencode_go/minimax_stream/response_000", "8 text, 157 thinking, 26/0/40/0, End"),
    ("opencode_go/openai_chat/response_000", "5 text, 316 thinking, 10/0/79/0, End"),
    ("opencode_go/openai_stream/response_000", "5 text, 409 thinking, 10/0/123/0, End"),
];
