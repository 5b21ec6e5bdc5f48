//! Files of every released version open, newer ones are left alone.

use crate::support::{Home, execute, raw, talk, turn_ids};
use namma_core::ports::StoreError;
use namma_store::{SCHEMA_VERSION, Store};
use sqlx::{Connection, Row};

/// The migration of each released version, and a chat as that version stored it, with the
/// checksum that pins the migration. For a new version: one line and its file.
const RELEASED: &[(&str, &str)] = &[
    (include_str!("../../migrations/0001_first.sql"), include_str!("released/v1.sql")),
    (include_str!("../../migrations/0002_brains.sql"), include_str!("released/v2.sql")),
    (include_str!("../../migrations/0003_books.sql"), include_str!("released/v3.sql")),
    (include_str!("../../migrations/0004_memory.sql"), include_str!("released/v4.sql")),
];

/// The database as the program of that version left it.
async fn make_released(home: &Home, version: usize) {
    std::fs::create_dir_all(home.path().parent().unwrap()).unwrap();
    for (migration, _) in &RELEASED[..version] {
        execute(&home.path(), migration).await;
    }
    execute(&home.path(), RELEASED[version - 1].1).await;
}

#[tokio::test]
async fn a_released_migration_is_never_edited() {
    assert_eq!(RELEASED.len() as i64, SCHEMA_VERSION, "every version has its line above");
    let home = Home::new();
    home.store().await.close().await;
    let mut connection = raw(&home.path()).await;
    let rows = sqlx::query("select checksum from schema_versions order by version").fetch_all(&mut connection).await;
    for (row, (_, content)) in rows.unwrap().iter().zip(RELEASED) {
        let checksum: String = row.get(0);
        assert!(content.contains(&checksum), "the checksum is now {checksum}: write a new migration instead");
    }
}

#[tokio::test]
async fn a_database_of_every_released_version_opens_with_its_chats() {
    for version in 1..=SCHEMA_VERSION {
        let home = Home::new();
        make_released(&home, version as usize).await;
        let opened = home.open().await;
        assert!(opened.recovery.is_none(), "version {version}");
        assert_eq!(turn_ids(&opened.store, "ses_old").await, vec!["turn_old"], "version {version}");
        assert_eq!(opened.store.search("wifi password", 5).await.unwrap().len(), 1, "version {version}");
        let facts = opened.store.facts(Some("wifi"), 5).await.unwrap().len();
        assert_eq!(facts, usize::from(version >= 4), "version {version}");
        assert_eq!(opened.store.verify().await.unwrap(), Vec::<String>::new(), "version {version}");
        let backups = home.files_with(".backup-").len();
        assert_eq!(backups, usize::from(version < SCHEMA_VERSION), "version {version}: a copy from before the upgrade");
    }
}

#[tokio::test]
async fn an_older_file_without_its_header_loses_nothing_and_says_so() {
    let home = Home::new();
    make_released(&home, 1).await;
    let mut connection = raw(&home.path()).await;
    sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    // The change counter and what is around it: the list of tables can still be read.
    crate::damage::overwrite(&home, 24, &[0xff; 16]);
    let opened = home.open().await;
    let recovery = opened.recovery.expect("the damage is told");
    assert!(recovery.is_complete(), "{recovery:#?}");
    assert_eq!(turn_ids(&opened.store, "ses_old").await, vec!["turn_old"]);
}

#[tokio::test]
async fn a_database_from_a_newer_program_is_refused_and_left_alone() {
    let home = Home::new();
    home.store().await.close().await;
    execute(&home.path(), "pragma user_version = 900").await;
    let before = std::fs::read(home.path()).unwrap();
    let refused = Store::open(&home.path(), &home.options()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 900, known: SCHEMA_VERSION, .. }), "{refused}");
    assert!(std::fs::read(home.path()).unwrap() == before, "not a byte may change");
    assert_eq!(home.files_with("damaged"), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_newer_version_in_the_journal_is_seen() {
    let home = Home::new();
    home.store().await.close().await;
    // A newer program has the file open: its version is in the journal, not yet in the file.
    let mut newer = raw(&home.path()).await;
    sqlx::raw_sql("pragma user_version = 900").execute(&mut newer).await.unwrap();
    let before = std::fs::read(home.path()).unwrap();
    let refused = Store::open(&home.path(), &home.options()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 900, .. }), "{refused}");
    assert!(std::fs::read(home.path()).unwrap() == before, "not a byte may change");
    newer.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_programs_that_start_at_once_make_one_schema() {
    let home = std::sync::Arc::new(Home::new());
    let mut starts = Vec::new();
    for _ in 0..8 {
        let home = std::sync::Arc::clone(&home);
        starts.push(tokio::spawn(async move { home.open().await }));
    }
    let mut stores = Vec::new();
    for start in starts {
        let opened = start.await.unwrap();
        assert!(opened.recovery.is_none());
        stores.push(opened.store);
    }
    talk(&stores[0], "ses_1", "turn_1", "hello", "a").await;
    assert_eq!(turn_ids(&stores[7], "ses_1").await, vec!["turn_1"]);
    let mut connection = raw(&home.path()).await;
    let rows = sqlx::query("select version from schema_versions").fetch_all(&mut connection).await.unwrap();
    let versions: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(versions, (1..=SCHEMA_VERSION).collect::<Vec<_>>());
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let store = home.store().await;
    talk(&store, "ses_1", "turn_1", "hello", "a").await;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.path().parent().unwrap()), 0o700);
    for file in home.files_with("namma.db") {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    drop(store);
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    home.store().await;
    assert_eq!(mode(&home.path()), 0o600, "rights of others are taken away");
}
