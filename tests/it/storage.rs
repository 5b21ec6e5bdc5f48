//! A home that cannot be written, a disk that is full, a database that is newer or broken.

use crate::support::{Home, Model, Ran, questions_of, said};
use std::io::{Seek, SeekFrom, Write};

/// Runs a script with mounts of its own: nothing outside sees them, and they end with it.
async fn with_own_mounts(home: &Home, script: &str) -> Ran {
    for options in ["--mount", "--user --map-root-user --mount"] {
        if Ran::of(home.shell(&format!("unshare {options} true")), None).await.status.success() {
            let mut command = home.shell(&format!("exec unshare {options} sh -euc \"$SCRIPT\""));
            command.env("SCRIPT", script);
            return Ran::of(command, None).await;
        }
    }
    panic!("this test needs `unshare --mount`, as root or with user namespaces");
}

#[tokio::test]
async fn a_home_that_cannot_be_written_is_told_and_not_touched() {
    let model = Model::replies([said("one"), said("never")]).await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "before"]).await;
    let ran = with_own_mounts(
        &home,
        "mount --bind \"$NAMMA_HOME\" \"$NAMMA_HOME\"
         mount -o remount,ro,bind \"$NAMMA_HOME\"
         code=0; \"$NAMMA\" ask 'is anybody there?' || code=$?
         echo \"code $code\"",
    )
    .await;
    assert_eq!(ran.stdout, "code 1\n", "{ran:?}");
    assert!(ran.stderr.contains("could not"), "{}", ran.stderr);
    assert!(ran.stderr.contains("writable") || ran.stderr.contains("own the folder"), "the next step: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    assert_eq!(model.asked(), 1, "what could not be stored was not sent");
    assert_eq!(questions_of(&home.only_session().await), ["before"]);
}

#[tokio::test]
async fn a_full_disk_is_told_and_loses_nothing_that_was_stored() {
    let model = Model::replies([said("one"), said("two"), said("three")]).await;
    let home = Home::with_model_at(&model.base_url());
    let ran = with_own_mounts(
        &home,
        "mount -t tmpfs -o size=6m tmpfs \"$NAMMA_HOME\"
         \"$NAMMA\" ask before
         cat /dev/zero > \"$NAMMA_HOME/filler\" 2>/dev/null || true
         code=0; \"$NAMMA\" ask 'while it is full' || code=$?
         echo \"code $code\"
         rm \"$NAMMA_HOME/filler\"
         \"$NAMMA\" ask after
         \"$NAMMA\" sessions list --json > ../list.json
         \"$NAMMA\" audit --json > ../audit.json",
    )
    .await;
    assert!(ran.status.success(), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        (lines.first(), lines.iter().find(|line| line.starts_with("code"))),
        (Some(&"one"), Some(&"code 1")),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("Free some space"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("damaged"), "{}", ran.stderr);
    let list: serde_json::Value = serde_json::from_slice(&std::fs::read(home.work("../list.json")).unwrap()).unwrap();
    let titles: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert!(titles.contains(&"before") && titles.contains(&"after"), "{titles:?}");
}

#[tokio::test]
async fn a_database_from_a_newer_version_is_left_alone() {
    let model = Model::replies([said("one"), said("never")]).await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "before"]).await;
    // The schema version stands in the header.
    let mut file = std::fs::File::options().write(true).open(home.database()).unwrap();
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&9_999_u32.to_be_bytes()).unwrap();
    drop(file);
    let before = std::fs::read(home.database()).unwrap();
    let ran = home.namma(&["ask", "hello"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str(), model.asked()), (Some(1), "", 1), "{ran:?}");
    assert!(ran.stderr.contains("newer version") && ran.stderr.contains("Update Namma Agent"), "{}", ran.stderr);
    assert!(std::fs::read(home.database()).unwrap() == before, "not a byte was changed");
    let doctor = home.namma(&["doctor", "--json"]).await;
    assert_eq!(doctor.code(), Some(1));
    assert_eq!(doctor.json()[0]["state"], "failed", "the doctor says it too");
}

#[tokio::test]
async fn a_damaged_database_is_saved_and_told_once() {
    let model = Model::replies([said("one"), said("two")]).await;
    let home = Home::with_model_at(&model.base_url());
    home.namma(&["ask", "before"]).await;
    let mut file = std::fs::File::options().write(true).open(home.database()).unwrap();
    file.write_all(&[0xa5; 100]).unwrap();
    drop(file);
    let ran = home.namma(&["ask", "after"]).await;
    assert_eq!((ran.code(), ran.stdout.as_str()), (Some(0), "two\n"), "{ran:?}");
    assert!(ran.stderr.contains("The database was damaged") && ran.stderr.contains("was kept as"), "{}", ran.stderr);
    let list = home.namma(&["sessions", "list", "--json"]).await;
    assert!(!list.stderr.contains("damaged"), "told once: {}", list.stderr);
    let mut titles: Vec<String> =
        list.json().as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["after", "before"]);
    assert!(home.audit().await.is_empty());
}

#[tokio::test]
async fn broken_settings_are_told_with_their_place_and_every_tool_is_refused() {
    let model = Model::replies([said("I can talk.")]).await;
    let home = Home::with_model_at(&model.base_url());
    std::fs::write(home.path().join("config.local.yaml"), "assistant:\n  nmae: Kavi\n").unwrap();
    let ran = home.namma(&["sessions", "list"]).await;
    assert!(ran.stderr.contains("config.local.yaml:2") && ran.stderr.contains("`assistant.name`"), "{}", ran.stderr);
    let check = home.namma(&["config", "check", "--json"]).await;
    assert_eq!((check.code(), check.json()["problems"][0]["key"].as_str()), (Some(1), Some("assistant.nmae")));
    let call = home.namma(&["tools", "call", "list_dir", r#"{"path":"."}"#]).await;
    assert_eq!(call.code(), Some(1), "{call:?}");
    assert!(call.stderr.contains("declined"), "{}", call.stderr);
}
