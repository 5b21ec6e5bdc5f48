//! The tables of phrasings: what is done, what is missed, and that nothing wrong is ever done.

use crate::{Step, provider, step, tools, user};
use namma_core::ports::Provider;
use serde_json::{Value, json};

/// Written before the grammar.
const FIRST: &str = include_str!("phrasings.txt");
/// Written after it. What it misses stays missed; one thing that it did wrongly was mended since.
const FRESH: &str = include_str!("fresh.txt");

struct Row<'a> {
    language: &'a str,
    expected: &'a str,
    words: &'a str,
}

fn rows(table: &str) -> Vec<Row<'_>> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut parts = line.splitn(3, " | ");
            let mut next = || parts.next().unwrap_or_else(|| panic!("not a row: {line}"));
            Row { language: next(), expected: next(), words: next() }
        })
        .collect()
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// As expected, for a request that can be met.
    Done,
    /// Not understood, and nothing done.
    Missed,
    /// As expected, for one that must not be met.
    Refused,
    /// Anything else.
    Wrong,
}

/// How answers begin that do nothing.
const REFUSALS: &[&str] =
    &["I did not understand that", "मैं यह नहीं समझा", "ಅದು ನನಗೆ ಅರ್ಥವಾಗಲಿಲ್ಲ", "I do not know exchange rates"];

fn judge(row: &Row<'_>, step: &Step) -> Verdict {
    let begins = |starts: &[&str]| step.calls.is_empty() && starts.iter().any(|start| step.text.starts_with(start));
    let (kind, rest) = row.expected.split_once(' ').unwrap_or((row.expected, ""));
    let met = match kind {
        "say" => step.calls.is_empty() && !begins(REFUSALS) && has_word(&step.text, rest),
        "hello" => begins(&["Hello.", "नमस्ते।", "ನಮಸ್ಕಾರ."]),
        "help" => begins(&["Without a model", "बिना मॉडल", "ಮಾದರಿ ಇಲ್ಲದೆ"]),
        "who" => begins(&["I am your assistant", "मैं इस कंप्यूटर पर", "ನಾನು ಈ ಕಂಪ್ಯೂಟರ್‌ನಲ್ಲಿರುವ"]),
        "thanks" => begins(&["You are welcome", "आपका स्वागत", "ಸಂತೋಷ"]),
        "no" => {
            let is_as_told = match rest {
                "" => begins(REFUSALS),
                "rates" => begins(&["I do not know exchange rates"]),
                other => panic!("no {other}"),
            };
            return if is_as_told { Verdict::Refused } else { Verdict::Wrong };
        }
        _ => step.text.is_empty() && step.calls == [expected_call(kind, rest)],
    };
    if met {
        Verdict::Done
    } else if begins(REFUSALS) {
        Verdict::Missed
    } else {
        Verdict::Wrong
    }
}

/// Is it there, and not as a part of another number? Decimals that are given may go on.
fn has_word(text: &str, word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    text.match_indices(word).any(|(at, _)| {
        let is_end = text[..at].ends_with(|c: char| c.is_ascii_digit() || c == '.');
        let rest = &text[at + word.len()..];
        let goes_on =
            rest.starts_with(is_digit) || rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_digit));
        !is_end && (word.contains('.') || !goes_on)
    })
}

#[test]
fn a_number_is_not_found_in_another() {
    for (text, word) in [("13.5", "3.5"), ("13.5", "13"), ("0.37", "37"), ("370", "37"), ("1.5", "5")] {
        assert!(!has_word(text, word), "{word} in {text}");
    }
    for (text, word) in [("it is 3.5 h", "3.5"), ("3.3333333333", "3.3333"), ("37 °C.", "37"), ("It is 37.", "37")] {
        assert!(has_word(text, word), "{word} in {text}");
    }
}

fn expected_call(kind: &str, rest: &str) -> (String, Value) {
    let plain = |text: &str| text.trim_matches('"').to_owned();
    let at = || rest.split_once(" @ ").map(|(what, place)| (plain(what), plain(place))).unwrap();
    let superlative = |sort: &str, folder: &str, count: u32| json!({ "path": plain(folder), "sort": sort, "below": true, "files_only": true, "limit": count });
    let sort_of = |word: &str| match word {
        "largest" => "size",
        "newest" => "modified",
        "oldest" => "oldest",
        other => panic!("{other}"),
    };
    let (tool, arguments) = match kind {
        "remember" => ("remember", json!({ "text": plain(rest) })),
        "recall" if rest.is_empty() => ("recall", json!({ "limit": 50 })),
        "recall" => ("recall", json!({ "query": plain(rest), "limit": 50 })),
        "forget" => ("recall", json!({ "query": plain(rest), "limit": 50 })),
        "chats" => ("search_chats", json!({ "query": plain(rest) })),
        "largest" | "newest" | "oldest" => {
            let (folder, count) = rest.rsplit_once(' ').unwrap();
            ("list_dir", superlative(sort_of(kind), folder, count.parse().unwrap()))
        }
        "ask" => {
            let (sort, folder) = rest.split_once(' ').unwrap();
            ("list_dir", superlative(sort_of(sort), folder, 5))
        }
        "list" => ("list_dir", json!({ "path": plain(rest) })),
        "hidden" => ("list_dir", json!({ "path": plain(rest), "hidden": true })),
        "find" => ("find_files", json!({ "path": at().1, "name": at().0 })),
        "text" => ("find_files", json!({ "path": at().1, "text": at().0, "ignore_case": true })),
        "read" => ("read_file", json!({ "path": plain(rest) })),
        "summary" => ("read_file", json!({ "path": plain(rest), "limit": 2000 })),
        "delete" => ("delete_path", json!({ "path": plain(rest) })),
        "mkdir" => ("make_dir", json!({ "path": plain(rest) })),
        "move" => {
            let (from, to) = rest.split_once(" => ").unwrap();
            ("move_path", json!({ "from": plain(from), "to": plain(to) }))
        }
        "open" => ("open_target", json!({ "target": plain(rest) })),
        "system" => ("system_info", json!({})),
        other => panic!("nothing is called {other}"),
    };
    (tool.to_owned(), arguments)
}

/// How a table came out.
#[derive(Debug, Default)]
struct Figures {
    done: usize,
    missed: Vec<String>,
    refused: usize,
    wrong: Vec<String>,
}

async fn figures(provider: &dyn Provider, rows: &[Row<'_>]) -> Figures {
    let mut figures = Figures::default();
    for row in rows {
        let said = step(provider, vec![user(row.words)], tools()).await;
        match judge(row, &said) {
            Verdict::Done => figures.done += 1,
            Verdict::Refused => figures.refused += 1,
            Verdict::Missed => figures.missed.push(row.words.to_owned()),
            Verdict::Wrong => figures.wrong.push(format!("{} | {} | {said:?}", row.words, row.expected)),
        }
    }
    let feasible = figures.done + figures.missed.len();
    println!(
        "{} phrasings: {} of {feasible} requests done, {} must-nots refused, {} wrong; missed: {:#?}",
        rows.len(),
        figures.done,
        figures.refused,
        figures.wrong.len(),
        figures.missed,
    );
    figures
}

fn share_done(figures: &Figures) -> usize {
    figures.done * 100 / (figures.done + figures.missed.len())
}

#[tokio::test]
async fn most_of_the_first_phrasings_are_done_and_none_wrongly() {
    let rows = rows(FIRST);
    let of = |language: &str| rows.iter().filter(|row| row.language == language).count();
    assert!(of("en") >= 130 && of("hi") >= 30 && of("kn") >= 30);
    let figures = figures(provider().as_ref(), &rows).await;
    assert_eq!(figures.wrong, Vec::<String>::new());
    assert!(figures.refused >= 50, "{}", figures.refused);
    assert!(share_done(&figures) >= 95, "{}", share_done(&figures));
}

#[tokio::test]
async fn phrasings_written_afterwards_are_done_or_refused_and_never_done_wrongly() {
    let rows = rows(FRESH);
    assert!(rows.len() >= 40);
    let figures = figures(provider().as_ref(), &rows).await;
    assert_eq!(figures.wrong, Vec::<String>::new());
    assert!(share_done(&figures) >= 60, "{}", share_done(&figures));
}

#[tokio::test]
async fn a_refusal_says_what_is_possible_and_how_to_get_a_model() {
    for (words, lists) in [("write a poem", "18% of 2499"), ("एक कविता लिखो", "2499 का 18%"), ("ಕವಿತೆ ಬರೆ", "2499 ರ 18%")]
    {
        let said = step(provider().as_ref(), vec![user(words)], tools()).await;
        assert!(said.text.contains(lists), "{}", said.text);
        assert!(said.text.contains("`namma connection set main --url ADDRESS`"), "{}", said.text);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    /// A request with a word more that nobody accounts for does nothing.
    #[test]
    fn one_strange_word_is_enough_to_do_nothing(at in 0_usize..4, strange in "qz[a-z]{3,8}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let provider = provider();
        for request in ["delete notes.txt", "rename a.txt to b.txt", "move a.txt to Documents", "delete \"a b\""] {
            let mut words: Vec<&str> = request.split(' ').collect();
            words.insert(at.min(words.len()), &strange);
            let said = runtime.block_on(step(provider.as_ref(), vec![user(&words.join(" "))], tools()));
            let harmless = said.calls.is_empty() || words.join(" ").contains(&format!("\"a {strange} b\""));
            proptest::prop_assert!(harmless, "{words:?}: {said:?}");
        }
    }
}
