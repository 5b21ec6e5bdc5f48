//! Facts: kept once, found, and forgotten so that no byte of them is left.

use crate::support::{Home, START, answered, new_turn, raw, said, succeeded};
use namma_core::ports::{AnsweredApproval, Entry, Memory, NewFact, Remembered, SessionStore, StoredCall};
use namma_core::trust::{Taint, TaintSet, Trust};
use namma_protocol::{
    ApprovalDecision, ApprovalId, ApprovalRequest, ApprovalScope, Effect, FactId, Preview, SessionId, StepTitle,
    ToolCall, ToolCallId, ToolOutcome, TurnId,
};
use namma_store::Store;
use serde_json::{Value, json};
use sqlx::Row;

const FACT: &str = "my sister Zubeida was born on 4 May";

async fn keep(store: &Store, sentence: &str) -> Remembered {
    let turn = TurnId::from("no_turn");
    let new = NewFact { sentence, turn: &turn, trust: Trust::Owner, taint: TaintSet::CLEAN };
    store.remember(new).await.unwrap()
}

async fn sentences(store: &Store, query: Option<&str>) -> Vec<String> {
    store.facts(query, 50).await.unwrap().into_iter().map(|fact| fact.sentence).collect()
}

/// The first column of each row, as text.
async fn column(home: &Home, sql: &'static str) -> Vec<String> {
    let rows = sqlx::query(sql).fetch_all(&mut raw(&home.path()).await).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0)).collect()
}

#[tokio::test]
async fn a_fact_comes_back_as_it_was_kept() {
    let home = Home::new();
    let store = home.store().await;
    let turn = TurnId::from("no_turn");
    let new = NewFact { sentence: FACT, turn: &turn, trust: Trust::Owner, taint: Taint::Web.into() };
    let kept = store.remember(new).await.unwrap();
    assert!(kept.is_new);
    assert_eq!((kept.fact.sentence.as_str(), kept.fact.learned_at, kept.fact.pinned), (FACT, START, false));
    assert!(kept.fact.taint.contains(Taint::Web));
    let again = home.store().await;
    assert_eq!(again.facts(None, 5).await.unwrap(), std::slice::from_ref(&kept.fact));
    assert_eq!(again.look_up(&[FactId::from("fact_gone"), kept.fact.id.clone()]).await.unwrap(), [kept.fact]);
}

#[tokio::test]
async fn the_same_sentence_again_adds_a_source_and_no_row() {
    let home = Home::new();
    let store = home.store().await;
    for (turn, text) in [("turn_1", "Remember that I like tea!"), ("turn_2", "as I said, i  LIKE tea.")] {
        store.begin_turn(&new_turn(&format!("ses_{turn}"), turn, text)).await.unwrap();
    }
    let mut kept = Vec::new();
    for (turn, sentence) in [("turn_1", "I like tea"), ("turn_2", "i  LIKE tea."), ("turn_2", "I like tea")] {
        let turn = TurnId::from(turn);
        let new = NewFact { sentence, turn: &turn, trust: Trust::Owner, taint: TaintSet::CLEAN };
        kept.push(store.remember(new).await.unwrap());
    }
    assert_eq!(kept.iter().map(|one| one.is_new).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(kept[1].fact, kept[0].fact, "the first wording stays");
    let sources = column(
        &home,
        "select t.id || ' ' || s.quote_start || ' ' || s.quote_end
         from fact_sources s
         join messages m on m.key = s.message_key
         join turns t on t.key = m.turn_key
         order by t.key",
    );
    assert_eq!(sources.await, ["turn_1 14 24", "turn_2 11 22"]);
    let ops = column(&home, "select op || ' ' || facts from memory_ops order by key").await;
    assert_eq!(ops, ["remembered 1", "said_again 1", "said_again 1"]);
}

#[tokio::test]
async fn a_fact_in_other_words_than_the_message_has_that_message_as_its_source() {
    let home = Home::new();
    let store = home.store().await;
    store.begin_turn(&new_turn("ses_1", "turn_1", "please keep in mind how I take my tea: black")).await.unwrap();
    let turn = TurnId::from("turn_1");
    let new = NewFact { sentence: "drinks tea black", turn: &turn, trust: Trust::Owner, taint: TaintSet::CLEAN };
    store.remember(new).await.unwrap();
    assert_eq!(column(&home, "select 'none' from fact_sources where quote_start is null").await, ["none"]);
}

#[tokio::test]
async fn facts_are_found_by_words_in_many_languages_and_the_newest_come_first() {
    let home = Home::new();
    let store = home.store().await;
    for sentence in [FACT, "ನನ್ನ ತಂಗಿ ಮೈಸೂರಿನಲ್ಲಿದ್ದಾಳೆ", "我喜欢喝绿茶", "ฉันชอบดื่มชาเขียว", "I park at P3, level -2"]
    {
        keep(&store, sentence).await;
        home.clock.advance(1000);
    }
    for (query, found) in [
        ("my sisters", FACT),
        ("what do you know about Zubeida?", FACT),
        ("ತಂಗಿ", "ನನ್ನ ತಂಗಿ ಮೈಸೂರಿನಲ್ಲಿದ್ದಾಳೆ"),
        ("绿茶", "我喜欢喝绿茶"),
        ("ชาเขียว", "ฉันชอบดื่มชาเขียว"),
        ("P3", "I park at P3, level -2"),
    ] {
        assert_eq!(sentences(&store, Some(query)).await, [found], "{query}");
    }
    assert_eq!(sentences(&store, None).await[0], "I park at P3, level -2");
    assert_eq!(store.facts(None, 2).await.unwrap().len(), 2);
    for nothing in ["roses", "\"", "OR", "?!"] {
        assert_eq!(sentences(&store, Some(nothing)).await, Vec::<String>::new(), "{nothing}");
    }
}

#[tokio::test]
async fn a_quarantined_fact_is_not_told_by_any_way_of_asking() {
    let home = Home::new();
    let store = home.store().await;
    let kept = keep(&store, FACT).await.fact;
    crate::support::execute(&home.path(), "update facts set status = 'quarantined'").await;
    assert_eq!(sentences(&store, Some("Zubeida")).await, Vec::<String>::new());
    assert_eq!(sentences(&store, None).await, Vec::<String>::new());
    assert_eq!(store.look_up(&[kept.id]).await.unwrap(), []);
}

fn call(id: &str, name: &str, input: Value) -> Entry {
    let title = StepTitle { doing: format!("Doing {name}"), done: format!("Done {name}") };
    let call = ToolCall { id: ToolCallId::from(id), name: name.into(), input };
    let calls = vec![StoredCall { call, broken_arguments: None, title, started_at: START }];
    Entry::Assistant {
        text: String::new(),
        thinking: format!("so {FACT}"),
        calls,
        stopped: false,
        taint: TaintSet::CLEAN,
    }
}

/// A result whose question showed the fact in its effects.
fn result(id: &str, content: String) -> Entry {
    let Entry::Result { fact, duration_ms, taint, .. } = succeeded(id) else { panic!("a result") };
    let request = ApprovalRequest {
        approval_id: ApprovalId::from("apr_1"),
        session_id: SessionId::from("ses_1"),
        call_id: ToolCallId::from(id),
        tool: "remember".into(),
        sentence: "Remember this".into(),
        reasons: Vec::new(),
        effects: vec![Effect::Remember { text: FACT.into() }],
        preview: Preview::None,
        input: json!({ "text": FACT }),
        payload_hash: String::new(),
        undo: None,
        scopes: vec![ApprovalScope::Once],
        sandbox: None,
        asked_at: START,
    };
    let approvals =
        vec![AnsweredApproval { request, decision: ApprovalDecision::Allow { scope: ApprovalScope::Once } }];
    let whole = Some(format!("{content}, whole"));
    Entry::Result {
        call_id: ToolCallId::from(id),
        outcome: ToolOutcome::Succeeded { content },
        fact,
        duration_ms,
        approvals,
        taint,
        whole,
    }
}

/// One chat in which the fact was kept, another in which it was told, both with everything that can
/// hold a text.
async fn remembered_and_told(store: &Store) -> FactId {
    for (session, turn, question) in
        [("ses_1", "turn_1", format!("Remember that {FACT}")), ("ses_2", "turn_2", format!("is it true that {FACT}?"))]
    {
        let turn = TurnId::from(turn);
        store.begin_turn(&new_turn(session, turn.as_str(), &question)).await.unwrap();
        let id = format!("call_{turn}");
        store
            .append(&turn, &[call(&id, "remember", json!({ "text": FACT })), result(&id, format!("- {FACT}"))], &[])
            .await
            .unwrap();
        if session == "ses_1" {
            let new = NewFact { sentence: FACT, turn: &turn, trust: Trust::Owner, taint: TaintSet::CLEAN };
            store.remember(new).await.unwrap();
        } else {
            assert_eq!(store.recall(&turn, Some("Zubeida"), 5).await.unwrap().len(), 1);
        }
        let answer = format!("Yes: {FACT}. And marigolds bloom.");
        store.append(&turn, &[said(&answer)], &[]).await.unwrap();
        store.finish_turn(&turn, &answered(&answer), &[], START).await.unwrap();
    }
    store.facts(None, 1).await.unwrap()[0].id.clone()
}

/// The bytes of the database and of its journal.
fn bytes(home: &Home) -> Vec<u8> {
    let files = home.files_with("namma.db");
    files.iter().flat_map(|file| std::fs::read(file).unwrap()).collect()
}

fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

#[tokio::test]
async fn not_a_byte_of_a_forgotten_fact_is_left() {
    let home = Home::new();
    let store = home.store().await;
    let fact = remembered_and_told(&store).await;
    assert!(holds(&bytes(&home), FACT) && holds(&bytes(&home), "Zubeida"), "the search below can find it");
    assert_eq!(store.forget(std::slice::from_ref(&fact)).await.unwrap(), 1);
    // While the store is open, journal and all.
    let left = bytes(&home);
    for word in [FACT, "Zubeida", "ubeida"] {
        assert!(!holds(&left, word), "{word}");
    }
    assert!(holds(&left, "marigolds bloom"), "the rest of the chat stays");
    assert_eq!(
        column(&home, "select op || ' ' || facts from memory_ops order by key").await,
        ["remembered 1", "forgot 1"]
    );
    assert_eq!(store.forget(&[fact]).await.unwrap(), 0, "it is gone already");
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_chats_are_whole_after_forgetting_and_say_that_something_was_forgotten() {
    let home = Home::new();
    let store = home.store().await;
    let fact = remembered_and_told(&store).await;
    store.forget(&[fact]).await.unwrap();
    let turns = store.turns(&SessionId::from("ses_1"), None, 10).await.unwrap();
    assert_eq!(turns[0].turn.user_text, "Remember that [forgotten]");
    assert_eq!(turns[0].outcome, Some(answered("Yes: [forgotten]. And marigolds bloom.")));
    let sessions = store.sessions_list().await.unwrap();
    assert!(sessions.iter().any(|session| session.title == "Remember that [forgotten]"), "{sessions:?}");
    assert_eq!(store.search("Zubeida", 5).await.unwrap(), []);
    assert_eq!(store.search("marigolds", 5).await.unwrap().len(), 2);
    assert_eq!(sentences(&store, Some("Zubeida")).await, Vec::<String>::new());
}

#[tokio::test]
async fn forgetting_one_fact_leaves_the_others_and_finds_it_in_every_chat() {
    let home = Home::new();
    let store = home.store().await;
    let other = format!("I wrote elsewhere that {}.", FACT.to_uppercase());
    crate::support::talk(&store, "ses_other", "turn_other", &other, "I see.").await;
    let first = keep(&store, FACT).await.fact;
    keep(&store, "my sister Amina lives in Hubli").await;
    let twice = [first.id.clone(), FactId::from("fact_gone"), first.id];
    assert_eq!(store.forget(&twice).await.unwrap(), 1);
    assert_eq!(sentences(&store, Some("sister")).await, ["my sister Amina lives in Hubli"]);
    let turns = store.turns(&SessionId::from("ses_other"), None, 10).await.unwrap();
    assert_eq!(turns[0].turn.user_text, "I wrote elsewhere that [forgotten].");
}

#[tokio::test]
async fn a_fact_in_another_script_is_found_in_each_of_its_spellings() {
    let home = Home::new();
    let store = home.store().await;
    let (composed, apart) = ("मेरा \u{95E}ोन काला है", "मेरा \u{92B}\u{93C}ोन काला है");
    crate::support::talk(&store, "ses_other", "turn_other", &format!("याद रखो कि {apart}"), "ठीक है।").await;
    let fact = keep(&store, composed).await.fact;
    assert_eq!(store.forget(&[fact.id]).await.unwrap(), 1);
    let turns = store.turns(&SessionId::from("ses_other"), None, 10).await.unwrap();
    assert_eq!(turns[0].turn.user_text, "याद रखो कि [forgotten]");
}

#[tokio::test]
async fn a_turn_that_runs_meanwhile_cannot_bring_it_back() {
    let home = Home::new();
    let store = home.store().await;
    let fact = keep(&store, FACT).await.fact;
    let turn = new_turn("ses_2", "turn_2", "forget it");
    store.begin_turn(&turn).await.unwrap();
    store.forget(&[fact.id]).await.unwrap();
    let turn = turn.turn_id;
    let answer = format!("I have forgotten that {FACT}.");
    store.save_partial(&turn, &answer).await.unwrap();
    let id = "call_later";
    let entries = [call(id, "recall", json!({ "query": FACT })), result(id, format!("- {FACT}")), said(&answer)];
    store.append(&turn, &entries, &[]).await.unwrap();
    store.finish_turn(&turn, &answered(&answer), &[], START).await.unwrap();
    let turns = store.turns(&SessionId::from("ses_2"), None, 1).await.unwrap();
    assert_eq!(turns[0].outcome, Some(answered("I have forgotten that [forgotten].")));
    store.close().await;
    drop(store);
    assert!(!holds(&bytes(&home), "Zubeida"));
    // The person may say it again, and have it kept again.
    let store = home.store().await;
    keep(&store, FACT).await;
    assert_eq!(sentences(&store, Some("Zubeida")).await, [FACT]);
}

#[tokio::test]
async fn forgetting_that_was_cut_short_is_finished_at_the_next_start() {
    let home = Home::new();
    let store = home.store().await;
    let fact = remembered_and_told(&store).await;
    store.forget(&[fact]).await.unwrap();
    store.close().await;
    drop(store);
    let open = "select op from memory_ops where leaves_traces = 1";
    assert_eq!(column(&home, open).await, Vec::<String>::new());
    crate::support::execute(&home.path(), "update memory_ops set leaves_traces = 1 where op = 'forgot'").await;
    drop(home.store().await);
    assert_eq!(column(&home, open).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_telling_counts_and_a_look_of_the_person_does_not() {
    let home = Home::new();
    let store = home.store().await;
    remembered_and_told(&store).await;
    store.facts(Some("Zubeida"), 5).await.unwrap();
    assert_eq!(column(&home, "select cast(uses as text) from facts").await, ["1"]);
}
