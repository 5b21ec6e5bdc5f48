use crate::support::{Home, START, talk};
use namma_protocol::{MessageId, SearchHit, SessionId, TurnId};
use namma_store::Store;

/// The excerpts of what is found, best first.
pub(crate) async fn found(store: &Store, query: &str) -> Vec<String> {
    store.search(query, 10).await.unwrap().into_iter().map(|hit| hit.excerpt).collect()
}

/// A store with one turn per message, the answers saying nothing.
pub(crate) async fn told(home: &Home, messages: &[&str]) -> Store {
    let store = home.store().await;
    for (number, message) in messages.iter().enumerate() {
        talk(&store, &format!("ses_{number}"), &format!("turn_{number}"), message, "Noted.").await;
    }
    store
}

const TALK: &[&str] = &[
    "the wifi password at the cottage is marigold seventeen",
    "Meena goes to the dentist on the ninth of March",
    "please don't forget the router's new location",
    "we passed the ball in the park, it was fun",
    "The Café Zürich opens at eight; naïve résumé",
    "the parser lives in src/search/prep.rs and calls parseHttpHeader with max_retry_count = 3",
    "my GPU is an RTX4090 and the server is 192.168.1.17, I prefer C++ over C#",
    "running shoes are cheaper in the cities",
    "\u{0}json:{} \u{202e}zero\u{200b}width",
    "l’amour à l'école d’O’Brien",
];

#[tokio::test]
async fn a_hit_says_where_it_is() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "hello", "The lighthouse is red.\nAnd white.").await;
    let expected = SearchHit {
        session_id: SessionId::from("ses_1"),
        session_title: "hello".to_owned(),
        turn_id: TurnId::from("turn_1"),
        message_id: MessageId::from("msg_2"),
        role: "assistant".to_owned(),
        excerpt: "The lighthouse is red. And white.".to_owned(),
        created_at: START,
    };
    assert_eq!(store.search("lighthouse", 5).await.unwrap(), vec![expected]);
}

#[tokio::test]
async fn a_question_finds_the_message_that_answers_it() {
    let home = Home::new();
    let store = told(&home, TALK).await;
    for (question, answer) in [
        ("what did I say about the wifi password?", 0),
        ("What's the WiFi password", 0),
        ("what’s the wi-fi passwords?", 0),
        ("when is Meena's dentist appointment?", 1),
        ("where's the router", 2),
        ("dont forget", 2),
        ("DON'T FORGET", 2),
        ("cafe zurich resume", 4),
        ("parse http header", 5),
        ("parseHttpHeader", 5),
        ("parsehttpheader", 5),
        ("prep.rs", 5),
        ("src/search/prep.rs", 5),
        ("retry count", 5),
        ("max_retry_count", 5),
        ("rtx4090", 6),
        ("192.168.1.17", 6),
        ("c++", 6),
        ("city shoe", 7),
        ("run", 7),
        ("json", 8),
        ("zerowidth", 8),
        ("amour", 9),
        ("ecole", 9),
        ("o'brien", 9),
        ("obrien", 9),
    ] {
        let first = found(&store, question).await.into_iter().next().unwrap_or_default();
        let expected = TALK[answer].replace('\u{0}', "");
        assert_eq!(first, expected, "asked: {question}");
    }
}

#[tokio::test]
async fn what_nobody_said_is_not_found() {
    let home = Home::new();
    let store = told(&home, TALK).await;
    for query in ["", "   ", "?!", "xylophone", "\u{0}", "\"\"", "()"] {
        assert_eq!(found(&store, query).await, Vec::<String>::new(), "asked: {query:?}");
    }
}

#[tokio::test]
async fn nothing_in_a_query_is_an_operator() {
    let home = Home::new();
    let store = told(&home, TALK).await;
    for query in [
        "\" OR 1=1 --",
        "NEAR(wifi password)",
        "wifi*",
        "words:wifi",
        "wifi AND",
        "NOT wifi",
        "-wifi",
        "^wifi",
        "{a b}: wifi",
        "wifi + password",
        "'; drop table messages; --",
        "\\\" wifi",
        "%_",
        "wifi\u{0}password",
        "\u{e000}wifi\u{e001}",
    ] {
        store.search(query, 10).await.unwrap_or_else(|error| panic!("{query}: {error}"));
    }
    assert_eq!(found(&store, "NEAR(wifi, 9)").await, vec![TALK[0]], "`near` is a word like others");
    assert_eq!(found(&store, "wifi*").await, vec![TALK[0]]);
    assert_eq!(found(&store, "words:wifi").await, vec![TALK[0]]);
}

#[tokio::test]
async fn stop_words_are_searched_when_nothing_else_is_there() {
    let home = Home::new();
    let store = told(&home, &["who are you", "the quick fox"]).await;
    assert_eq!(found(&store, "who are you").await, vec!["who are you"]);
    let home = Home::new();
    let war = told(&home, &["the war of the worlds", "nothing here"]).await;
    assert_eq!(found(&war, "war").await, vec!["the war of the worlds"], "a German stop word in English");
}

#[tokio::test]
async fn the_answer_comes_before_the_same_question() {
    let home = Home::new();
    let store = told(&home, &["the wifi password is marigold", "what is the wifi password?", "wifi is slow"]).await;
    assert_eq!(found(&store, "what's the wifi password?").await[0], "the wifi password is marigold");
}

#[tokio::test]
async fn a_question_to_the_assistant_finds_its_words_first() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "a good restaurant in Mysuru, please", "I recommend the restaurant Vinayaka.")
        .await;
    assert_eq!(found(&store, "which restaurant did you recommend?").await[0], "I recommend the restaurant Vinayaka.");
    assert_eq!(found(&store, "the restaurant I asked for").await[0], "a good restaurant in Mysuru, please");
}

#[tokio::test]
async fn the_excerpt_shows_the_words_that_were_asked_for() {
    let home = Home::new();
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let text = format!("{filler}the wifi password is marigold {filler}");
    let store = told(&home, &[&text]).await;
    let excerpt = found(&store, "wifi password").await.remove(0);
    assert!(excerpt.starts_with('…') && excerpt.ends_with('…'), "{excerpt}");
    assert!(excerpt.contains("the wifi password is marigold"), "{excerpt}");
    assert!(excerpt.chars().count() <= 202, "{excerpt}");
}

#[tokio::test]
async fn no_more_than_the_limit_is_found() {
    let home = Home::new();
    let messages: Vec<String> = (0..12).map(|number| format!("apple number {number}")).collect();
    let store = told(&home, &messages.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(store.search("apple", 5).await.unwrap().len(), 5);
    assert_eq!(store.search("apple", 0).await.unwrap(), vec![]);
    assert_eq!(store.search("apple", u32::MAX).await.unwrap().len(), 12);
}

#[tokio::test]
async fn deleted_chats_do_not_push_others_out() {
    let home = Home::new();
    let messages: Vec<String> = (0..100).map(|number| format!("apple apple {number}")).collect();
    let store = told(&home, &messages.iter().map(String::as_str).collect::<Vec<_>>()).await;
    talk(&store, "ses_x", "turn_x", "a longer message that has the apple only once", "a").await;
    for number in 0..100 {
        store.session_delete(&SessionId(format!("ses_{number}"))).await.unwrap();
    }
    assert_eq!(found(&store, "apple").await, vec!["a longer message that has the apple only once"]);
}

#[tokio::test]
async fn a_message_of_a_megabyte_is_found_by_its_beginning() {
    let home = Home::new();
    let text = format!("zebra {}", "x".repeat(1 << 20));
    let store = told(&home, &[&text]).await;
    assert_eq!(found(&store, "zebra").await.len(), 1);
}

#[tokio::test]
async fn the_right_message_is_found_among_many_with_its_common_words() {
    let home = Home::new();
    let store = home.store().await;
    namma_store::bench::bench_fixture(&store, 6_000).await.unwrap();
    for (question, answer) in namma_store::bench::QUESTIONS {
        let hits = found(&store, question).await;
        assert!(hits.iter().take(3).any(|hit| hit == answer), "{question}: {hits:?}");
    }
}
