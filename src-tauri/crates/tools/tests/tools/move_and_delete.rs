use crate::support::{Computer, claims};
use namma_protocol::Preview;
use serde_json::json;
use std::path::Path;

claims! { "move_and_delete":
    a_file_is_moved_with_missing_folders_made,
    a_slash_at_the_end_means_into_the_folder,
    a_move_never_overwrites,
    a_link_is_moved_and_deleted_itself,
    what_is_deleted_is_in_the_trash,
    the_ground_under_our_feet_is_not_deleted,
}

async fn a_file_is_moved_with_missing_folders_made() {
    let computer = Computer::new().with("a.txt", "a");
    let (content, _) = computer.done("move_path", json!({"from": "a.txt", "to": "new/deep/b.txt"})).await;
    assert_eq!(content, "moved `a.txt` to `new/deep/b.txt`");
    assert_eq!(computer.text("new/deep/b.txt").as_deref(), Some("a"));
    assert_eq!(computer.text("a.txt"), None);
}

async fn a_slash_at_the_end_means_into_the_folder() {
    let computer = Computer::new().with("a.txt", "a").with("b.txt", "b").with("folder/x", "");
    computer.done("move_path", json!({"from": "a.txt", "to": "folder/"})).await;
    computer.done("move_path", json!({"from": "b.txt", "to": "~/elsewhere/"})).await;
    assert_eq!(computer.text("folder/a.txt").as_deref(), Some("a"));
    assert_eq!(computer.text("../elsewhere/b.txt").as_deref(), Some("b"));
}

async fn a_move_never_overwrites() {
    let computer = Computer::new().with("a.txt", "a").with("b.txt", "b").with("folder/x", "");
    let before = computer.snapshot();
    for (from, to, why) in [
        ("a.txt", "b.txt", "exists already"),
        ("a.txt", "folder", "exists already"),
        ("folder", "folder/inside", "into itself"),
        ("missing", "new/c", "no such"),
    ] {
        let failure = computer.failure("move_path", json!({"from": from, "to": to})).await;
        assert!(failure.contains(why), "{from} to {to}: {failure}");
    }
    assert_eq!(computer.snapshot(), before);
}

async fn a_link_is_moved_and_deleted_itself() {
    let computer = Computer::new().with("real/a.txt", "a");
    std::os::unix::fs::symlink("real", computer.work.join("link")).unwrap();
    std::os::unix::fs::symlink("real", computer.work.join("second")).unwrap();
    computer.done("move_path", json!({"from": "link", "to": "renamed"})).await;
    assert_eq!(std::fs::read_link(computer.work.join("renamed")).unwrap(), Path::new("real"));
    computer.done("delete_path", json!({"path": "second/"})).await;
    assert!(computer.work.join("second").symlink_metadata().is_err(), "the link is gone");
    assert_eq!(computer.text("real/a.txt").as_deref(), Some("a"), "what it pointed to is not");
}

async fn what_is_deleted_is_in_the_trash() {
    let computer = Computer::new().with("folder/a.txt", "precious");
    let (content, fact) = computer.done("delete_path", json!({"path": "folder"})).await;
    assert_eq!(fact, "in the trash");
    assert!(!computer.work.join("folder").exists());
    let place = content.split('`').nth(3).unwrap_or_else(|| panic!("says where: {content}"));
    let place = if let Some(rest) = place.strip_prefix("~/") { computer.home.join(rest) } else { place.into() };
    assert_eq!(std::fs::read_to_string(place.join("a.txt")).unwrap(), "precious", "{content}");
    assert_eq!(computer.shown(), [Preview::Paths { paths: vec![computer.work.join("folder").display().to_string()] }]);
}

async fn the_ground_under_our_feet_is_not_deleted() {
    let computer = Computer::new();
    for path in [".", "..", "~", "/", "~/work", "/tmp/.."] {
        let failure = computer.failure("delete_path", json!({"path": path})).await;
        assert!(failure.contains("not deleted"), "{path}: {failure}");
    }
    assert!(computer.failure("delete_path", json!({"path": "missing"})).await.contains("no such"));
}
