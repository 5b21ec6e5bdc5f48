//! Levels of thinking, images and answers by a schema, in the words of each dialect; and what a
//! model refused is left out once more and then always.

use crate::support::{adapter, ask, question};
use namma_core::ports::{Image, ModelMessage, ModelRequest, ProviderError, Thinking, ThinkingControl};
use namma_protocol::ThinkLevel;
use namma_testkit::sse_server::{Reply, SseServer};
use namma_testkit::wire::{Wire, WireAnswer};
use serde_json::{Value, json};

const CHAT: usize = 0;
const MESSAGES: usize = 1;
const CONTENTS: usize = 2;
const RESPONSES: usize = 3;

/// The wires in the order of the numbers above.
fn wires() -> [Wire; 4] {
    [
        Wire::Chat(Default::default()),
        Wire::Messages(Default::default()),
        Wire::Contents(Default::default()),
        Wire::Responses(Default::default()),
    ]
}

/// What that request looks like on that wire.
async fn sent(wire: usize, request: ModelRequest) -> Value {
    let wire = &wires()[wire];
    let server = SseServer::replays([answer(wire)]).await;
    let step = ask(&adapter(&server, wire), request).await;
    assert_eq!(step.error, None);
    server.body(0)
}

fn answer(wire: &Wire) -> Reply {
    Reply::events(wire.framing().bytes(&wire.frames(&WireAnswer::rich())))
}

fn thinks(level: ThinkLevel, control: ThinkingControl) -> ModelRequest {
    ModelRequest { thinking: Thinking { level, control }, max_output_tokens: Some(4000), ..question("hello") }
}

fn effort() -> ThinkingControl {
    ThinkingControl::Effort { off: Some("minimal".to_owned()) }
}

#[tokio::test]
async fn an_effort_is_a_word_in_every_dialect() {
    let body = sent(CHAT, thinks(ThinkLevel::High, effort())).await;
    assert_eq!(body["reasoning_effort"], "high");
    let body = sent(MESSAGES, thinks(ThinkLevel::Medium, effort())).await;
    assert_eq!(
        (&body["thinking"], &body["output_config"]),
        (&json!({"type": "adaptive"}), &json!({"effort": "medium"}))
    );
    let body = sent(CONTENTS, thinks(ThinkLevel::Low, effort())).await;
    assert_eq!(body["generationConfig"]["thinkingConfig"], json!({ "thinkingLevel": "low", "includeThoughts": true }));
    let body = sent(RESPONSES, thinks(ThinkLevel::High, effort())).await;
    assert_eq!(body["reasoning"], json!({ "effort": "high", "summary": "auto" }));
    let body = sent(RESPONSES, thinks(ThinkLevel::Off, effort())).await;
    assert_eq!(body["reasoning"], json!({ "effort": "minimal" }), "what is not thought is not summed up");
}

#[tokio::test]
async fn a_budget_comes_on_top_of_the_answer_and_can_be_nothing() {
    let budget = || ThinkingControl::Budget { least: 0 };
    let body = sent(MESSAGES, thinks(ThinkLevel::Low, budget())).await;
    assert_eq!(body["thinking"], json!({ "type": "enabled", "budget_tokens": 2048 }));
    assert_eq!(body["max_tokens"], 4000 + 2048);
    let body = sent(MESSAGES, thinks(ThinkLevel::Off, budget())).await;
    assert_eq!((body.get("thinking"), &body["max_tokens"]), (None, &json!(4000)));
    let body = sent(CONTENTS, thinks(ThinkLevel::Off, budget())).await;
    let config = &body["generationConfig"];
    assert_eq!(config["thinkingConfig"], json!({ "thinkingBudget": 0, "includeThoughts": false }));
    assert_eq!(config["maxOutputTokens"], 4000);
    let body = sent(CONTENTS, thinks(ThinkLevel::Off, ThinkingControl::Budget { least: 128 })).await;
    assert_eq!(body["generationConfig"]["thinkingConfig"]["thinkingBudget"], 128, "some cannot stop");
}

#[tokio::test]
async fn a_switch_is_on_or_off_and_no_control_sends_nothing() {
    let body = sent(CHAT, thinks(ThinkLevel::Low, ThinkingControl::Switch)).await;
    assert_eq!(body["chat_template_kwargs"], json!({ "enable_thinking": true }));
    let body = sent(MESSAGES, thinks(ThinkLevel::Off, ThinkingControl::Switch)).await;
    assert_eq!(body["thinking"], json!({ "type": "disabled" }));
    for wire in [CHAT, MESSAGES, CONTENTS, RESPONSES] {
        for control in [ThinkingControl::Prompt, ThinkingControl::Fixed] {
            let body = sent(wire, thinks(ThinkLevel::High, control)).await.to_string();
            for word in ["thinking", "reasoning\"", "effort", "enable_thinking"] {
                assert!(!body.contains(&format!("\"{word}")), "{word} in {body}");
            }
        }
    }
}

fn image() -> Image {
    Image { media_type: "image/png".to_owned(), bytes: vec![1, 2, 3].into() }
}

fn with_images() -> ModelRequest {
    let call =
        namma_core::ports::ModelCall { id: "call_1".into(), name: "look".to_owned(), arguments: "{}".to_owned() };
    ModelRequest {
        messages: vec![
            ModelMessage::User { text: "what is this?".to_owned(), images: vec![image()] },
            ModelMessage::Assistant { text: String::new(), calls: vec![call], replay: None },
            ModelMessage::ToolResult {
                call_id: "call_1".into(),
                tool: "look".to_owned(),
                content: "a screenshot".to_owned(),
                images: vec![image()],
                is_error: false,
            },
        ],
        ..question("x")
    }
}

#[tokio::test]
async fn images_go_with_the_question_and_after_a_result() {
    let body = sent(CHAT, with_images()).await;
    let shown = json!({ "type": "image_url", "image_url": { "url": "data:image/png;base64,AQID" } });
    assert_eq!(body["messages"][0]["content"], json!([shown, { "type": "text", "text": "what is this?" }]));
    assert_eq!(body["messages"][2]["content"], "a screenshot", "a result is text alone here");
    assert_eq!(body["messages"][3]["role"], "user");
    assert_eq!(body["messages"][3]["content"][1], shown);

    let body = sent(MESSAGES, with_images()).await;
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "AQID" });
    assert_eq!(body["messages"][0]["content"][0], json!({ "type": "image", "source": source }));
    let result = &body["messages"][2]["content"][0];
    assert_eq!(result["content"][0], json!({ "type": "text", "text": "a screenshot" }));
    assert_eq!(result["content"][1]["source"], source);

    let body = sent(CONTENTS, with_images()).await;
    let inline = json!({ "inlineData": { "mimeType": "image/png", "data": "AQID" } });
    assert_eq!(body["contents"][0]["parts"][0], inline);
    assert_eq!(body["contents"][2]["parts"][1], inline);

    let body = sent(RESPONSES, with_images()).await;
    let shown = json!({ "type": "input_image", "image_url": "data:image/png;base64,AQID" });
    assert_eq!(body["input"][0]["content"][0], shown);
    assert_eq!(body["input"][2]["output"], json!([{ "type": "input_text", "text": "a screenshot" }, shown]));
}

#[tokio::test]
async fn a_schema_for_the_answer_is_sent_where_each_vendor_wants_it() {
    let schema = json!({ "type": "object", "properties": { "fit": { "type": "boolean" } } });
    let request = || ModelRequest { answer_schema: Some(schema.clone()), ..question("x") };
    assert_eq!(sent(CHAT, request()).await["response_format"]["json_schema"]["schema"], schema);
    assert_eq!(sent(MESSAGES, request()).await["output_config"]["format"]["schema"], schema);
    let config = sent(CONTENTS, request()).await["generationConfig"].clone();
    assert_eq!((&config["responseMimeType"], &config["responseJsonSchema"]), (&json!("application/json"), &schema));
    assert_eq!(sent(RESPONSES, request()).await["text"]["format"]["schema"], schema);
}

fn refusal(message: &str) -> Reply {
    Reply::json(400, &json!({ "error": { "message": message } }))
}

#[tokio::test]
async fn what_a_model_refuses_is_left_out_once_more_and_then_always() {
    for wire in wires() {
        let refused = refusal("thinking is not supported by this model (reasoning_effort)");
        let server = SseServer::replays([refused, answer(&wire), answer(&wire)]).await;
        let provider = adapter(&server, &wire);
        let control = match wire {
            Wire::Contents(_) => ThinkingControl::Budget { least: 0 },
            _ => effort(),
        };
        for _ in 0..2 {
            let step = ask(&provider, thinks(ThinkLevel::High, control.clone())).await;
            assert_eq!(step.error, None, "{wire:?}");
        }
        let told = |number: usize| {
            let body = server.body(number).to_string();
            ["\"reasoning_effort\"", "\"thinking\"", "\"thinkingConfig\"", "\"reasoning\":"]
                .iter()
                .any(|word| body.contains(word))
        };
        assert_eq!([told(0), told(1), told(2)], [true, false, false], "{wire:?}");
        assert_eq!(server.request_count(), 3);
    }
}

#[tokio::test]
async fn what_cannot_be_left_out_is_asked_once_and_no_more() {
    for wire in wires() {
        let refused = || refusal("thinking is not supported by this model");
        let server = SseServer::replays([refused(), refused()]).await;
        let step = ask(&adapter(&server, &wire), question("hello")).await;
        assert!(matches!(step.error, Some(ProviderError::BadRequest { status: 400, .. })), "{wire:?}: {step:?}");
        assert_eq!(server.request_count(), 1, "{wire:?}: nothing of it was sent");
    }
}

#[tokio::test]
async fn two_first_questions_at_once_both_learn_from_their_refusal() {
    let server = SseServer::serves(|request| match request.body.get("reasoning_effort") {
        Some(_) => refusal("reasoning_effort is not supported by this model"),
        None => answer(&wires()[CHAT]),
    })
    .await;
    let provider = adapter(&server, &wires()[CHAT]);
    let question = || ask(&provider, thinks(ThinkLevel::High, effort()));
    let (one, other) = tokio::join!(question(), question());
    assert_eq!((one.error, other.error), (None, None));
    assert_eq!(server.request_count(), 4);
}

#[tokio::test]
async fn what_the_account_pays_for_shortens_one_answer_only() {
    let words = "This request requires more credits. You requested up to 4000 tokens, but can only afford 50.";
    let poor = || Reply::json(402, &json!({ "error": { "message": words, "code": 402 } }));
    let chat = &wires()[CHAT];
    let server = SseServer::replays([poor(), answer(chat), answer(chat), poor(), poor()]).await;
    let provider = adapter(&server, chat);
    let question = || thinks(ThinkLevel::Off, ThinkingControl::Prompt);
    for _ in 0..2 {
        assert_eq!(ask(&provider, question()).await.error, None);
    }
    let caps: Vec<_> = (0..3).map(|number| server.body(number)["max_tokens"].clone()).collect();
    assert_eq!(caps, [4000, 50, 4000], "the account may have been filled since");
    let refused = ask(&provider, question()).await;
    assert!(matches!(refused.error, Some(ProviderError::NoCredit { .. })), "{refused:?}");
    assert_eq!(server.request_count(), 5, "no endless bargaining");
}

#[tokio::test]
async fn thinking_is_fitted_into_what_the_conversation_leaves_of_the_window() {
    let words = "input length and `max_tokens` exceed context limit: 190000 + 12192 > 200000, decrease input length \
        or `max_tokens` and try again";
    let messages = &wires()[MESSAGES];
    let server = SseServer::replays([refusal(words), answer(messages), answer(messages)]).await;
    let provider = adapter(&server, messages);
    for _ in 0..2 {
        let step = ask(&provider, thinks(ThinkLevel::Medium, ThinkingControl::Budget { least: 0 })).await;
        assert_eq!(step.error, None);
    }
    let sent = |number: usize| {
        let body = server.body(number);
        (body["max_tokens"].as_u64(), body["thinking"]["budget_tokens"].as_u64())
    };
    assert_eq!(sent(0), (Some(12_192), Some(8192)));
    assert_eq!(sent(1), (Some(10_000), Some(6000)), "the answer keeps its tokens");
    assert_eq!(sent(2), (Some(12_192), Some(8192)), "a shorter conversation leaves more");
    let full = SseServer::replays([refusal(&words.replace("190000", "199990"))]).await;
    let refused = ask(&adapter(&full, messages), thinks(ThinkLevel::Off, ThinkingControl::Prompt)).await;
    assert!(matches!(refused.error, Some(ProviderError::ContextTooLong { .. })), "{refused:?}");
}

#[tokio::test]
async fn thinking_and_answer_stay_within_what_the_model_takes_at_the_first_try() {
    let budget = || ThinkingControl::Budget { least: 0 };
    let within = |most_tokens, max_output_tokens| ModelRequest {
        most_tokens: Some(most_tokens),
        max_output_tokens,
        ..thinks(ThinkLevel::Low, budget())
    };
    let body = sent(MESSAGES, within(4000, Some(3500))).await;
    assert_eq!((&body["thinking"]["budget_tokens"], &body["max_tokens"]), (&json!(2000), &json!(4000)));
    let body = sent(CONTENTS, within(4000, Some(3500))).await;
    let config = &body["generationConfig"];
    assert_eq!((&config["thinkingConfig"]["thinkingBudget"], &config["maxOutputTokens"]), (&json!(2000), &json!(4000)));
    let body = sent(MESSAGES, within(8000, None)).await;
    assert_eq!(body["max_tokens"], 8000, "this dialect wants a number");
    let body = sent(CHAT, within(8000, None)).await;
    assert_eq!(body.get("max_tokens"), None, "and this one does not");
}

#[tokio::test]
async fn thinking_is_left_out_where_there_is_no_room_for_it() {
    let words = "max_tokens: 6048 > 1500, which is the maximum allowed number of output tokens for test-model";
    let messages = &wires()[MESSAGES];
    let server = SseServer::replays([refusal(words), answer(messages)]).await;
    let step = ask(&adapter(&server, messages), thinks(ThinkLevel::Low, ThinkingControl::Budget { least: 0 })).await;
    assert_eq!(step.error, None);
    let body = server.body(1);
    assert_eq!((body.get("thinking"), &body["max_tokens"]), (None, &json!(1500)), "the vendor takes no less than 1024");
}
