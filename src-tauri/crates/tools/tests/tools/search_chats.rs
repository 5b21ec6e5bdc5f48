use crate::support::{Computer, Setting, claims};
use namma_core::trust::Taint;
use namma_testkit::FixedResults;
use serde_json::json;

claims! { "search_chats":
    what_was_said_is_found_and_comes_from_outside,
    a_query_that_cannot_be_looked_for_is_refused,
    nothing_found_is_said_so,
    no_more_messages_come_than_are_wanted,
}

/// One in whose chats marigolds were spoken of so often.
fn spoken_of(times: usize) -> Computer {
    let spoken = |chats: FixedResults, number| chats.with(&format!("call_{number}"), "we spoke of\nmarigolds");
    let chats = (0..times).fold(FixedResults::default(), spoken);
    Computer::set(Setting { chats, ..Setting::default() })
}

async fn what_was_said_is_found_and_comes_from_outside() {
    let computer = spoken_of(1);
    let (content, fact) = computer.done("search_chats", json!({"query": "marigolds"})).await;
    assert!(content.contains("1970-01-01, chat \"an earlier chat\", person: we spoke of\\nmarigolds"), "{content}");
    assert_eq!(fact, "1 message");
    assert!(computer.call("search_chats", json!({"query": "marigolds"})).await.taint.contains(Taint::Document));
}

async fn a_query_that_cannot_be_looked_for_is_refused() {
    let computer = spoken_of(1);
    for (input, why) in [
        (json!({"query": ""}), "`query` is empty | Give the words"),
        (json!({"query": " \n"}), "`query` is empty | Give the words"),
        (json!({"query": "a\u{7}b"}), "cannot be seen"),
        (json!({"query": "marigolds", "limit": 0}), "`limit` starts at 1"),
    ] {
        let told = computer.failure("search_chats", input).await;
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(computer.shown().len(), 0);
}

async fn nothing_found_is_said_so() {
    let (content, fact) = spoken_of(1).done("search_chats", json!({"query": "tulips"})).await;
    assert_eq!((content.as_str(), fact.as_str()), ("no message fits", "0 messages"));
}

async fn no_more_messages_come_than_are_wanted() {
    let computer = spoken_of(60);
    for (limit, messages) in [(json!(null), 8), (json!(3), 3), (json!(1000), 50)] {
        let (content, fact) = computer.done("search_chats", json!({"query": "marigolds", "limit": limit})).await;
        assert_eq!(fact, format!("{messages} messages"), "{limit}");
        assert_eq!(content.matches("person: ").count(), messages, "{limit}");
    }
}
