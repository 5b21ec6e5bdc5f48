//! What real servers send, in all its variety.

use crate::support::{Step, ask, provider, question, step_of, step_of_events, usage};
use namma_core::ports::StopReason;
use namma_protocol::Usage;
use namma_testkit::sse_server::{Chunk, Reply, SseServer, call, finish, raw, raw_call, text, thinking};
use serde_json::json;
use std::time::Duration;

fn whole_step() -> Vec<Chunk> {
    vec![
        thinking("ಯೋಚಿಸು"),
        text("Namaskāra 🙏 "),
        text("\"quoted\" \\ \r\n end"),
        call("read_file", &json!({ "path": "ಕಡತ.txt" })),
        call("list_dir", &json!({ "path": "." })),
    ]
}

fn whole_answer() -> Step {
    Step {
        thinking: "ಯೋಚಿಸು".to_owned(),
        text: "Namaskāra 🙏 \"quoted\" \\ \r\n end".to_owned(),
        ..Step::calls(&[("read_file", "{\"path\":\"ಕಡತ.txt\"}"), ("list_dir", "{\"path\":\".\"}")])
    }
}

#[tokio::test]
async fn text_thinking_calls_usage_and_stop_arrive() {
    assert_eq!(step_of(Reply::step(whole_step())).await, whole_answer());
}

#[tokio::test]
async fn every_line_end_is_understood_wherever_it_is_cut() {
    let chunk = r#"{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}"#;
    for end in ["\n", "\r\n", "\r"] {
        let body = format!(": ping{end}{end}event: message{end}data: {chunk}{end}{end}data: [DONE]{end}{end}");
        for size in [1, 2, 5] {
            let step = step_of(Reply::events(body.clone()).split(size)).await;
            assert_eq!(step, Step { usage: None, ..Step::text("hi") }, "line end {end:?}, pieces of {size}");
        }
    }
}

#[tokio::test]
async fn pings_comments_and_unknown_fields_are_passed_over() {
    let body = concat!(
        ": OPENROUTER PROCESSING\n\n",
        "id: 1\nretry: 10\n\n",
        "event: ping\ndata: {\"type\":\"ping\"}\n\n",
        "data:\n\n",
        "data:{\"choices\":[{\"delta\":{\"content\":\"hi\"},\"obfuscation\":\"xyz\"}]}   \n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"choices\":[],\"moderation\":{\"flagged\":false}}\n\n",
        "data: [DONE]\n\n",
    );
    assert_eq!(step_of(Reply::events(body)).await, Step { usage: None, ..Step::text("hi") });
}

#[tokio::test]
async fn a_slow_first_token_is_waited_for() {
    let reply = Reply::step([text("late")]).wait_first(Duration::from_millis(300));
    assert_eq!(step_of(reply).await, Step::text("late"));
}

#[tokio::test]
async fn calls_are_told_apart_however_they_are_numbered() {
    let whole = |entry: &str| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{entry}]}}}}]}}"#);
    let f = |head: &str| whole(&format!(r#"{{{head}"function":{{"name":"f","arguments":"{{\"n\":1}}"}}}}"#));
    let g = |head: &str| whole(&format!(r#"{{{head}"function":{{"name":"g","arguments":"{{}}"}}}}"#));
    let table = [
        ("the first index is 1", f(r#""index":1,"id":"a","#), g(r#""index":2,"id":"b","#)),
        ("no index", f(r#""id":"a","#), g(r#""id":"b","#)),
        ("no id", f(r#""index":0,"#), g(r#""index":1,"#)),
        ("neither", f(""), g("")),
        ("one index for both", f(r#""index":0,"id":"a","#), g(r#""index":0,"id":"b","#)),
        ("the same id twice", f(r#""index":0,"id":"a","#), g(r#""index":1,"id":"a","#)),
        ("a null id", f(r#""index":0,"id":null,"#), g(r#""index":1,"id":null,"#)),
    ];
    for (case, first, second) in table {
        let finish = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
        let step = step_of_events(&[&first, &second, finish, "[DONE]"]).await;
        assert_eq!(step.calls, Step::calls(&[("f", "{\"n\":1}"), ("g", "{}")]).calls, "{case}");
    }
}

#[tokio::test]
async fn interleaved_parallel_calls_find_their_fragments() {
    let step = step_of_events(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}},{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"y\""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}},{"index":1,"function":{"arguments":":2}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        "[DONE]",
    ])
    .await;
    assert_eq!(step.calls, Step::calls(&[("f", "{\"x\":1}"), ("g", "{\"y\":2}")]).calls);
}

#[tokio::test]
async fn broken_arguments_and_unknown_names_are_passed_on_as_they_are() {
    let chunks = [raw_call("no such tool!", r#"{"names": cronjob_manage}"#), raw_call("f", ""), raw_call("g", "[1]")];
    let step = step_of(Reply::step(chunks)).await;
    let expected = [("no such tool!", r#"{"names": cronjob_manage}"#), ("f", ""), ("g", "[1]")];
    assert_eq!(step, Step::calls(&expected));
}

#[tokio::test]
async fn usage_is_read_wherever_it_stands() {
    let table = [
        (r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#, usage(7, 3)),
        (
            r#"{"choices":[{"delta":{},"finish_reason":null}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#,
            usage(7, 3),
        ),
        (r#"{"choices":[],"x_groq":{"usage":{"prompt_tokens":7,"completion_tokens":3}}}"#, usage(7, 3)),
        (
            r#"{"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}"#,
            Usage { cached_tokens: 4, reasoning_tokens: 2, ..usage(7, 3) },
        ),
        (
            r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_cache_hit_tokens":5}}"#,
            Usage { cached_tokens: 5, ..usage(7, 3) },
        ),
    ];
    for (chunk, expected) in table {
        let text = r#"{"choices":[{"delta":{"content":"x"}}],"usage":null}"#;
        let finish = r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":null}"#;
        let step = step_of_events(&[text, finish, chunk, "[DONE]"]).await;
        assert_eq!(step, Step { usage: Some(expected), ..Step::text("x") }, "{chunk}");
    }
}

#[tokio::test]
async fn the_reason_to_stop_is_told() {
    let table = [
        ("stop", StopReason::End),
        ("tool_calls", StopReason::ToolCalls),
        ("length", StopReason::Length),
        ("content_filter", StopReason::ContentFilter),
        ("a_word_of_tomorrow", StopReason::Other(Some("a_word_of_tomorrow".to_owned()))),
    ];
    for (word, reason) in table {
        let step = step_of(Reply::step([text("x"), finish(word)])).await;
        assert_eq!(step.stop, Some(reason), "{word}");
    }
    let step = step_of_events(&[r#"{"choices":[{"delta":{"content":"x"},"finish_reason":null}]}"#, "[DONE]"]).await;
    assert_eq!(step.stop, Some(StopReason::Other(None)), "no reason at all");
}

#[tokio::test]
async fn a_reason_that_comes_twice_ends_the_step_once() {
    let step = step_of(Reply::step([text("x"), finish("stop"), finish("stop")])).await;
    assert_eq!(step, Step::text("x"));
    let step = step_of(Reply::step([raw_call("f", "{\"a"), finish("tool_calls"), finish("length")])).await;
    assert_eq!(step.stop, Some(StopReason::Length), "cut arguments must not run");
}

#[tokio::test]
async fn no_done_line_is_needed_after_the_reason() {
    let body = [text("x"), finish("stop")];
    assert_eq!(step_of(Reply::open_step(body.clone())).await, Step { usage: None, ..Step::text("x") });
    assert_eq!(step_of(Reply::open_step(body.clone()).until_close()).await, Step { usage: None, ..Step::text("x") });
    assert_eq!(step_of(Reply::open_step(body).then_close()).await, Step { usage: None, ..Step::text("x") });
}

#[tokio::test]
async fn the_last_event_needs_no_blank_line() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}";
    assert_eq!(step_of(Reply::events(body)).await, Step { usage: None, ..Step::text("x") });
}

#[tokio::test]
async fn content_may_be_a_list_of_parts() {
    let step = step_of_events(&[
        r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}}]}"#,
        r#"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"reference","reference_ids":[1]},"b"]}}]}"#,
        r#"{"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ])
    .await;
    assert_eq!(step, Step { thinking: "hm".to_owned(), usage: None, ..Step::text("abc") });
}

#[tokio::test]
async fn thinking_comes_in_either_field_before_and_after_a_call() {
    for field in ["reasoning_content", "reasoning"] {
        let think = format!(r#"{{"choices":[{{"delta":{{"{field}":"hm ","content":""}}}}]}}"#);
        let call =
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}"#;
        let finish = r#"{"choices":[{"delta":{"content":"ok"},"finish_reason":"tool_calls"}]}"#;
        let step = step_of_events(&[&think, call, &think, finish, "[DONE]"]).await;
        let expected =
            Step { thinking: "hm hm ".to_owned(), text: "ok".to_owned(), usage: None, ..Step::calls(&[("f", "{}")]) };
        assert_eq!(step, expected, "{field}");
    }
}

#[tokio::test]
async fn thinking_in_tags_is_told_apart_across_pieces() {
    let step = step_of(Reply::step([text("<th"), text("ink>a</thi"), text("nk>b")])).await;
    assert_eq!(step, Step { thinking: "a".to_owned(), ..Step::text("b") });
}

#[tokio::test]
async fn thinking_without_an_end_stays_thinking_and_is_whole() {
    let step = step_of(Reply::step([text("<think>"), text("on and on </th")])).await;
    assert_eq!(step, Step { thinking: "on and on </th".to_owned(), ..Step::text("") });
}

#[tokio::test]
async fn each_tool_round_reads_its_thinking_anew() {
    let first = vec![text("<think>which file"), call("f", &json!({})), text("<think>hm</think>text")];
    let second = vec![text("<think>now I know</think>"), text("done")];
    let server = SseServer::says([first, second]).await;
    let provider = provider(&server);
    let step = ask(&provider, question("hello")).await;
    assert_eq!((step.thinking.as_str(), step.text.as_str()), ("which filehm", "text"));
    let step = ask(&provider, question("again")).await;
    assert_eq!((step.thinking.as_str(), step.text.as_str()), ("now I know", "done"));
}

#[tokio::test]
async fn a_refusal_is_text() {
    let refusal = r#"{"choices":[{"delta":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}]}"#;
    assert_eq!(step_of(Reply::step([raw(refusal), finish("stop")])).await, Step::text("I cannot."));
}

#[tokio::test]
async fn other_choices_are_passed_over() {
    let other = r#"{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"stop"}]}"#;
    assert_eq!(step_of(Reply::step([raw(other), text("yes")])).await, Step::text("yes"));
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let document = json!({
        "choices": [{ "index": 0, "finish_reason": "tool_calls", "message": {
            "role": "assistant", "content": "on it",
            "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "f", "arguments": "{}" } }],
        } }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 5 },
    });
    let step = step_of(Reply::json(200, &document)).await;
    assert_eq!(step, Step { text: "on it".to_owned(), ..Step::calls(&[("f", "{}")]) });
}

#[tokio::test]
async fn a_stream_under_a_wrong_name_is_understood() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    for name in ["text/plain", "application/json", "application/octet-stream"] {
        let step = step_of(Reply::body(200, name, body)).await;
        assert_eq!(step, Step { usage: None, ..Step::text("hi") }, "{name}");
    }
}
