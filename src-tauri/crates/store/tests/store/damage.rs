//! Damaged files: what can be read is saved, the rest is kept, and the host is told.

use crate::support::{Home, draft, execute, new_turn, talk, turn_ids};
use namma_core::ports::{AuditLog, Memory, NewFact, SessionStore};
use namma_core::trust::{TaintSet, Trust};
use namma_protocol::TurnId;
use namma_store::{OpenOutcome, Store};
use std::io::{Read, Seek, SeekFrom, Write};

const PAGE: u64 = 4096;

/// A closed database with many pages of chats.
async fn filled(home: &Home) {
    let store = home.store().await;
    for number in 0..120 {
        let question = format!("question {number} {}", "some words of it ".repeat(40));
        talk(&store, &format!("ses_{}", number / 10), &format!("turn_{number}"), &question, "An answer.").await;
    }
    store.draft_save(None, &draft("a draft")).await.unwrap();
    store.close().await;
}

pub(crate) fn overwrite(home: &Home, at: u64, bytes: &[u8]) {
    let mut file = std::fs::File::options().write(true).open(home.path()).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Opens the damaged file; it must be told, kept and sound afterwards.
async fn recovered(home: &Home) -> OpenOutcome {
    let mut before = Vec::new();
    std::fs::File::open(home.path()).unwrap().read_to_end(&mut before).unwrap();
    let opened = home.open().await;
    let report = opened.recovery.as_ref().expect("the damage is told");
    assert!(std::fs::read(&report.kept).unwrap() == before, "the damaged file is kept as it was");
    assert!(report.kept.to_string_lossy().ends_with("namma.db.damaged-20300101T000000Z"), "{:?}", report.kept);
    assert!(report.sentence().contains("The database was damaged"), "{}", report.sentence());
    assert_eq!(opened.store.verify().await.unwrap(), Vec::<String>::new(), "what is open is sound");
    assert_eq!(home.files_with("salvage").len() + home.files_with("fresh").len(), 0, "nothing is left over");
    talk(&opened.store, "ses_after", "turn_after", "life goes on", "a").await;
    opened
}

async fn count_turns(store: &Store) -> i64 {
    store.statistics().await.unwrap().turns
}

#[tokio::test]
async fn a_destroyed_header_loses_nothing() {
    let home = Home::new();
    filled(&home).await;
    overwrite(&home, 0, &[0xa5; 100]);
    let opened = recovered(&home).await;
    assert!(opened.recovery.unwrap().is_complete());
    assert_eq!(count_turns(&opened.store).await, 121);
    assert_eq!(opened.store.draft_get(None).await.unwrap(), draft("a draft"));
    assert_eq!(turn_ids(&opened.store, "ses_3").await.len(), 10);
    assert!(!opened.store.search("question 57", 5).await.unwrap().is_empty(), "the index is made anew");
    drop(opened.store);
    assert!(home.open().await.recovery.is_none(), "it is told once");
}

#[tokio::test]
async fn a_lost_list_of_tables_loses_nothing() {
    let home = Home::new();
    filled(&home).await;
    overwrite(&home, 0, &[0; PAGE as usize]);
    let opened = recovered(&home).await;
    assert!(opened.recovery.unwrap().is_complete());
    assert_eq!(count_turns(&opened.store).await, 121);
}

#[tokio::test]
async fn facts_are_saved_and_found_again() {
    let home = Home::new();
    let store = home.store().await;
    let turn = TurnId::from("turn_1");
    store.begin_turn(&new_turn("ses_1", "turn_1", "remember that I like tea")).await.unwrap();
    let new = NewFact { sentence: "I like tea", turn: &turn, trust: Trust::Owner, taint: TaintSet::CLEAN };
    let kept = store.remember(new).await.unwrap().fact;
    store.close().await;
    drop(store);
    overwrite(&home, 0, &[0xa5; 100]);
    let opened = recovered(&home).await;
    assert_eq!(opened.store.facts(Some("tea"), 5).await.unwrap(), std::slice::from_ref(&kept));
    assert_eq!(opened.store.forget(&[kept.id]).await.unwrap(), 1, "with its sources");
    assert_eq!(opened.store.facts(None, 5).await.unwrap(), []);
}

#[tokio::test]
async fn any_damaged_page_costs_little() {
    let home = Home::new();
    filled(&home).await;
    let sound = std::fs::read(home.path()).unwrap();
    let pages = sound.len() as u64 / PAGE;
    let mut saved_least = i64::MAX;
    // Every seventh page, the roots of the big tables among them.
    for page in (1..pages).step_by(7) {
        std::fs::write(home.path(), &sound).unwrap();
        overwrite(&home, page * PAGE, &vec![0x5a; PAGE as usize]);
        let opened = home.open().await;
        let turns = count_turns(&opened.store).await;
        saved_least = saved_least.min(turns);
        assert_eq!(opened.store.verify().await.unwrap(), Vec::<String>::new(), "page {page}");
        // A page that held nothing may go unnoticed.
        assert!(opened.recovery.is_some() || turns == 120, "page {page} was not noticed");
        opened.store.close().await;
        drop(opened.store);
        for kept in home.files_with("damaged") {
            std::fs::remove_file(kept).unwrap();
        }
    }
    assert!(saved_least >= 60, "{saved_least} of 120 turns were left after the worst page");
}

#[tokio::test]
async fn a_cut_file_is_saved_as_far_as_it_goes() {
    let home = Home::new();
    filled(&home).await;
    let length = std::fs::metadata(home.path()).unwrap().len();
    let file = std::fs::File::options().write(true).open(home.path()).unwrap();
    file.set_len(length * 4 / 5 / PAGE * PAGE).unwrap();
    drop(file);
    let opened = recovered(&home).await;
    let report = opened.recovery.unwrap();
    assert!(!report.is_complete());
    assert!(count_turns(&opened.store).await > 1, "{report:#?}");
}

#[tokio::test]
async fn a_file_of_something_else_is_kept_aside() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().parent().unwrap()).unwrap();
    std::fs::write(home.path(), b"this is not a database").unwrap();
    let opened = recovered(&home).await;
    assert_eq!(count_turns(&opened.store).await, 1);
}

#[tokio::test]
async fn an_empty_file_is_a_new_database() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().parent().unwrap()).unwrap();
    std::fs::write(home.path(), b"").unwrap();
    let opened = home.open().await;
    assert!(opened.recovery.is_none());
}

#[tokio::test]
async fn what_is_only_in_the_journal_is_saved_too() {
    let home = Home::new();
    filled(&home).await;
    let store = home.store().await;
    talk(&store, "ses_late", "turn_late", "only in the journal", "a").await;
    // As after `kill -9`: the journal stays where it is.
    let (file, journal) = (home.path(), home.path().with_extension("db-wal"));
    let (file_bytes, journal_bytes) = (std::fs::read(&file).unwrap(), std::fs::read(&journal).unwrap());
    store.close().await;
    drop(store);
    std::fs::write(&file, &file_bytes).unwrap();
    std::fs::write(&journal, &journal_bytes).unwrap();
    overwrite(&home, 0, &[0; 16]);
    let opened = recovered(&home).await;
    assert_eq!(turn_ids(&opened.store, "ses_late").await, vec!["turn_late"]);
}

#[tokio::test]
async fn a_running_turn_of_a_damaged_file_is_closed() {
    let home = Home::new();
    let store = home.store().await;
    store.begin_turn(&new_turn("ses_1", "turn_1", "hello")).await.unwrap();
    store.save_partial(&TurnId::from("turn_1"), "Hi the").await.unwrap();
    store.close().await;
    drop(store);
    overwrite(&home, 0, &[0; 16]);
    let opened = recovered(&home).await;
    assert_eq!(opened.interrupted, vec![TurnId::from("turn_1")]);
}

#[tokio::test]
async fn rows_without_their_parents_get_new_ones() {
    let home = Home::new();
    filled(&home).await;
    execute(
        &home.path(),
        "pragma foreign_keys = off;
         delete from sessions where id = 'ses_1';
         delete from turns where id in ('turn_20', 'turn_21')",
    )
    .await;
    overwrite(&home, 0, &[0; 16]);
    let opened = recovered(&home).await;
    let titles: Vec<String> = opened.store.sessions_list().await.unwrap().into_iter().map(|s| s.title).collect();
    assert!(titles.iter().any(|title| title == "Recovered chat"), "{titles:?}");
    assert!(titles.iter().any(|title| title == "Recovered messages"), "{titles:?}");
    let orphans = opened.store.turns(&"ses_recovered".into(), None, 10).await.unwrap();
    assert_eq!(orphans.len(), 2);
    assert!(orphans[0].turn.user_text.starts_with("question 20"));
}

#[tokio::test]
async fn the_audit_chain_survives_and_stays_guarded() {
    let home = Home::new();
    let store = home.store().await;
    for number in 1..=3 {
        store.record(&crate::audit::entry(number)).await.unwrap();
    }
    store.close().await;
    drop(store);
    overwrite(&home, 0, &[0; 16]);
    let opened = recovered(&home).await;
    opened.store.record(&crate::audit::entry(4)).await.unwrap();
    let chain = opened.store.audit_verify_chain().await.unwrap();
    assert_eq!((chain.rows, chain.broken_at), (4, None));
}

#[tokio::test]
async fn a_damaged_file_in_use_by_another_program_is_not_touched() {
    let home = Home::new();
    filled(&home).await;
    let other = home.store().await;
    overwrite(&home, 0, &[0; 16]);
    let refused = Store::open(&home.path(), &home.options()).await.unwrap_err();
    assert!(refused.to_string().contains("close the other"), "{refused}");
    assert_eq!(home.files_with("damaged-").len(), 0);
    drop(other);
}

#[tokio::test]
async fn damage_found_while_running_is_checked_at_the_next_start() {
    let home = Home::new();
    let store = home.store().await;
    // Big enough that a clean start does not check it.
    for number in 0..300 {
        let question = format!("question {number} {}", "some words of it ".repeat(400));
        talk(&store, "ses_1", &format!("turn_{number}"), &question, "An answer.").await;
    }
    store.close().await;
    drop(store);
    assert!(std::fs::metadata(home.path()).unwrap().len() > 1 << 20);
    let length = std::fs::metadata(home.path()).unwrap().len();
    let middle = length / 2 / PAGE * PAGE;
    overwrite(&home, middle, &vec![0x5a; PAGE as usize * 8]);
    let opened = home.open().await;
    assert!(opened.recovery.is_none(), "a clean start is quick and looks at little");
    assert!(!opened.store.verify().await.unwrap().is_empty());
    opened.store.close().await;
    drop(opened);
    assert!(home.open().await.recovery.is_some());
}
