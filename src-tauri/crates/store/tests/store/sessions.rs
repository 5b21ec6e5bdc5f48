use crate::support::{Home, START, draft, new_turn, talk, turn_ids};
use namma_core::ports::{SessionStore, StoreError};
use namma_protocol::{Mode, SessionId, SessionSummary, ThinkLevel, TurnId, UnixMs, Usage};
use namma_store::{Choice, KEEP_DELETED_MS, UsageOfDay, Used};

async fn title(store: &namma_store::Store, session: &str) -> String {
    store.session_summary(&SessionId::from(session)).await.unwrap().title
}

#[tokio::test]
async fn sessions_are_listed_with_the_last_used_first() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "How do I bake bread?", "So.").await;
    let mut later = new_turn("ses_2", "turn_2", "And cake?");
    later.started_at = UnixMs(START.0 + 10);
    store.begin_turn(&later).await.unwrap();
    let summary = |id: &str, title: &str, at: i64, running: bool| SessionSummary {
        session_id: SessionId::from(id),
        title: title.to_owned(),
        created_at: UnixMs(at),
        updated_at: UnixMs(at),
        turn_count: 1,
        running,
        waiting: false,
    };
    let expected = vec![
        summary("ses_2", "And cake?", START.0 + 10, true),
        summary("ses_1", "How do I bake bread?", START.0, false),
    ];
    assert_eq!(store.sessions_list().await.unwrap(), expected);
    assert_eq!(store.session_summary(&SessionId::from("ses_2")).await.unwrap(), expected[0]);
}

#[tokio::test]
async fn a_title_is_the_first_line_cut_at_a_word() {
    let home = Home::new();
    let store = home.store().await;
    let cases = [
        ("\n  Hello   there \nmore", "Hello there"),
        (
            "Please compare the three quotes for the roof that I put into the folder Roof",
            "Please compare the three quotes for the roof that I put…",
        ),
        ("", "New chat"),
        (" \u{202e}evil\u{0}name", "evil name"),
    ];
    for (number, (question, expected)) in cases.into_iter().enumerate() {
        let session = format!("ses_{number}");
        talk(&store, &session, &format!("turn_{number}"), question, "a").await;
        assert_eq!(title(&store, &session).await, expected);
    }
    let long = "漢".repeat(100);
    talk(&store, "ses_han", "turn_han", &long, "a").await;
    assert_eq!(title(&store, "ses_han").await, format!("{}…", "漢".repeat(59)));
    let kannada = "ಕ್ಷಿ".repeat(40);
    talk(&store, "ses_kn", "turn_kn", &kannada, "a").await;
    let cut = title(&store, "ses_kn").await;
    assert!(kannada[cut.len() - '…'.len_utf8()..].starts_with(['ಕ', 'ಷ']), "no letter loses its vowel: {cut}");
}

#[tokio::test]
async fn a_persons_title_stays() {
    let home = Home::new();
    let store = home.store().await;
    let session = SessionId::from("ses_1");
    store.session_create(&session, Mode::Chat, "m").await.unwrap();
    assert_eq!(title(&store, "ses_1").await, "New chat");
    talk(&store, "ses_1", "turn_1", "first question", "a").await;
    assert_eq!(title(&store, "ses_1").await, "first question");
    store.session_rename(&session, "  My\nchat ").await.unwrap();
    talk(&store, "ses_1", "turn_2", "second question", "a").await;
    assert_eq!(title(&store, "ses_1").await, "My chat");
    store.session_rename(&session, " ").await.unwrap();
    assert_eq!(title(&store, "ses_1").await, "first question", "an empty title brings the made one back");
}

#[tokio::test]
async fn a_renamed_empty_chat_keeps_its_title() {
    let home = Home::new();
    let store = home.store().await;
    let session = SessionId::from("ses_1");
    store.session_create(&session, Mode::Agent, "m").await.unwrap();
    store.session_rename(&session, "Taxes").await.unwrap();
    talk(&store, "ses_1", "turn_1", "first question", "a").await;
    assert_eq!(title(&store, "ses_1").await, "Taxes");
}

#[tokio::test]
async fn a_deleted_session_is_nowhere_until_it_is_restored() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "the pineapple recipe", "a").await;
    let session = SessionId::from("ses_1");
    store.session_delete(&session).await.unwrap();
    assert_eq!(store.sessions_list().await.unwrap(), vec![]);
    assert_eq!(turn_ids(&store, "ses_1").await, Vec::<String>::new());
    assert_eq!(store.search("pineapple", 5).await.unwrap(), vec![]);
    for refused in [
        store.session_summary(&session).await.map(|_| ()),
        store.session_rename(&session, "x").await,
        store.session_delete(&session).await,
        store.export_session(&session).await.map(|_| ()),
        store.begin_turn(&new_turn("ses_1", "turn_2", "go on")).await,
    ] {
        assert!(matches!(refused, Err(StoreError::NotFound { .. })), "{refused:?}");
    }
    store.session_restore(&session).await.unwrap();
    assert_eq!(turn_ids(&store, "ses_1").await, vec!["turn_1"]);
    assert_eq!(store.search("pineapple", 5).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_session_deleted_long_ago_is_purged_at_the_next_start() {
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_old", "turn_1", "the pineapple recipe", "ไปเที่ยวเชียงใหม่").await;
    talk(&store, "ses_new", "turn_2", "the mango recipe", "a").await;
    store.draft_save(Some(&SessionId::from("ses_old")), &draft("half a")).await.unwrap();
    store.session_delete(&SessionId::from("ses_old")).await.unwrap();
    drop(store);
    home.clock.advance(KEEP_DELETED_MS);
    let store = home.store().await;
    store.session_restore(&SessionId::from("ses_old")).await.unwrap();
    store.session_delete(&SessionId::from("ses_old")).await.unwrap();
    drop(store);
    home.clock.advance(KEEP_DELETED_MS + 1);
    let store = home.store().await;
    let gone = store.session_restore(&SessionId::from("ses_old")).await.unwrap_err();
    assert!(matches!(gone, StoreError::NotFound { .. }), "{gone}");
    assert_eq!(store.draft_get(Some(&SessionId::from("ses_old"))).await.unwrap(), draft(""));
    let left = store.statistics().await.unwrap();
    assert_eq!((left.sessions, left.deleted_sessions, left.turns, left.messages), (1, 0, 1, 2));
    assert_eq!(store.search("recipe", 5).await.unwrap().len(), 1);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_big_deleted_session_is_purged_by_maintenance() {
    let home = Home::new();
    let store = home.store().await;
    for number in 0..250 {
        talk(&store, "ses_old", &format!("turn_{number}"), "q", "a").await;
    }
    store.session_delete(&SessionId::from("ses_old")).await.unwrap();
    home.clock.advance(KEEP_DELETED_MS + 1);
    store.maintain().await.unwrap();
    let left = store.statistics().await.unwrap();
    assert_eq!((left.deleted_sessions, left.turns, left.messages), (0, 0, 0));
}

#[tokio::test]
async fn usage_is_counted_by_model_and_outlives_the_chat() {
    let home = Home::new();
    let store = home.store().await;
    let usage =
        Usage { input_tokens: 10, output_tokens: 5, cached_tokens: 2, reasoning_tokens: 1, cache_write_tokens: 4 };
    for turn in ["turn_1", "turn_2"] {
        store.begin_turn(&new_turn("ses_1", turn, "q")).await.unwrap();
        let turn = TurnId::from(turn);
        store.finish_turn(&turn, &crate::support::answered("a"), &[crate::support::spent(usage)], START).await.unwrap();
    }
    store.session_delete(&SessionId::from("ses_1")).await.unwrap();
    home.clock.advance(KEEP_DELETED_MS + 1);
    store.maintain().await.unwrap();
    let used = Used {
        turns: 2,
        input_tokens: 20,
        output_tokens: 10,
        cached_tokens: 4,
        reasoning_tokens: 2,
        cache_write_tokens: 8,
        cost_nanos: 0,
    };
    let day = START.0 / namma_store::DAY_MS;
    assert_eq!(store.statistics().await.unwrap().turns, 0);
    assert_eq!(store.usage(10_000).await.unwrap(), [UsageOfDay { day, model: "m".to_owned(), used }]);
}

#[tokio::test]
async fn the_choices_of_a_connection_are_forgotten_and_those_of_others_stay() {
    let home = Home::new();
    let store = home.store().await;
    let chosen = ["work", "work/gpt-5", "work/lab/big", "workshop/gpt-5", "main/work/gpt-5", "w_rk/x"];
    for (number, model) in chosen.iter().enumerate() {
        let session = format!("ses_{number}");
        talk(&store, &session, &format!("turn_{number}"), "q", "a").await;
        let choice = Choice { model: Some((*model).to_owned()), think: Some(ThinkLevel::High) };
        store.session_choose(&SessionId::from(session.as_str()), &choice).await.unwrap();
    }
    assert_eq!(store.forget_choices_of("work").await.unwrap(), 3);
    let mut left = Vec::new();
    for number in 0..chosen.len() {
        let choice = store.session_choice(&SessionId::from(format!("ses_{number}").as_str())).await.unwrap();
        assert_eq!(choice.think, Some(ThinkLevel::High), "it is about no connection");
        left.push(choice.model);
    }
    let kept = |model: &str| Some(model.to_owned());
    let main = "main/work/gpt-5";
    assert_eq!(left, [None, None, None, kept("workshop/gpt-5"), kept(main), kept("w_rk/x")]);
}
