use crate::support::{Home, new_turn, talk, turn_ids};
use namma_core::ports::{SessionStore, StoreError};
use namma_protocol::{SessionId, TurnId};
use namma_store::Store;
use std::process::Command;

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_told() {
    let home = Home::new();
    let file = home.folder.path().join("a file");
    std::fs::write(&file, "x").unwrap();
    let refused = Store::open(&file.join("namma.db"), &home.options()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unwritable { .. }), "{refused}");
    assert!(refused.to_api_error().hint.is_some());
}

#[tokio::test]
async fn a_folder_in_place_of_the_database_is_told() {
    let home = Home::new();
    std::fs::create_dir_all(home.path()).unwrap();
    let refused = Store::open(&home.path(), &home.options()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Unwritable { .. }), "{refused}");
}

#[cfg(target_os = "linux")]
const FULL_DISK: &str = "NAMMA_STORE_FULL_DISK_DATABASE";

/// Runs in a child whose files may not grow: as on a full disk, writes fail and reads work.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn child_on_a_full_disk() {
    let Some(database) = std::env::var_os(FULL_DISK) else { return };
    let home = Home::new();
    let store = Store::open(database.as_ref(), &home.options()).await.unwrap().store;
    let mut refused = None;
    for number in 0..1000 {
        let turn = new_turn("ses_1", &format!("turn_{number}"), &"words and more words ".repeat(500));
        if let Err(error) = store.begin_turn(&turn).await {
            refused = Some((turn, error));
            break;
        }
        let end = crate::support::answered("a");
        if let Err(error) = store.finish_turn(&turn.turn_id, &end, &[], turn.started_at).await {
            refused = Some((turn, error));
            break;
        }
    }
    let (turn, error) = refused.expect("the disk is never full");
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error:?}");
    let turns = store.turns(&SessionId::from("ses_1"), None, u32::MAX).await;
    // Reading works; closing the turn that could not end does not, and says why.
    if let Err(error) = turns {
        assert!(matches!(error, StoreError::Unwritable { .. }), "{error:?}");
    }
    println!("\nfull at {}", turn.turn_id);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_told_and_loses_nothing_stored() {
    let home = Home::new();
    talk(&home.store().await, "ses_0", "turn_before", "hello", "a").await;
    // `ulimit -f` counts blocks of 512 bytes (dash) or 1 KiB (bash); the signal would end the child.
    let script = "ulimit -f 2000; trap '' XFSZ; exec \"$0\" --exact unwritable::child_on_a_full_disk --nocapture";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .env(FULL_DISK, home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let full_at = said.lines().find_map(|line| line.strip_prefix("full at ")).unwrap().to_owned();
    let opened = home.open().await;
    assert!(opened.recovery.is_none());
    assert_eq!(turn_ids(&opened.store, "ses_0").await, vec!["turn_before"]);
    let kept = turn_ids(&opened.store, "ses_1").await;
    let full_at = TurnId(full_at).0;
    let number: usize = full_at.trim_start_matches("turn_").parse().unwrap();
    let expected: Vec<String> = (0..kept.len()).map(|number| format!("turn_{number}")).collect();
    assert_eq!(kept, expected);
    assert!(kept.len() >= number, "{} turns are left, {number} were stored", kept.len());
    assert_eq!(opened.store.verify().await.unwrap(), Vec::<String>::new());
}
