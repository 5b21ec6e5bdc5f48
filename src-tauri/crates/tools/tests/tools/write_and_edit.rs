use crate::support::{Computer, claims, diff};
use namma_protocol::{ApprovalDecision, ApprovalScope, ToolOutcome};
use namma_testkit::ScriptedApprover;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

claims! { "write_and_edit":
    a_new_file_comes_with_its_folders,
    what_is_shown_is_the_difference,
    the_same_content_changes_nothing,
    a_file_that_changes_while_it_is_asked_about_is_shown_again,
    an_edit_changes_the_one_place,
    an_edit_that_does_not_fit_is_told_before_anybody_is_asked,
    an_edit_keeps_line_ends_and_marks,
    what_cannot_be_edited_is_told,
    what_runs_later_is_never_written,
    a_link_leads_to_where_it_is_shown_to_lead,
}

async fn a_new_file_comes_with_its_folders() {
    let computer = Computer::new();
    let (content, fact) = computer.done("write_file", json!({"path": "a/b/c.txt", "content": "one\ntwo\n"})).await;
    assert_eq!(content, "created `a/b/c.txt` with 2 lines");
    assert_eq!(fact, "2 lines");
    assert_eq!(computer.text("a/b/c.txt").as_deref(), Some("one\ntwo\n"));
    assert_eq!(diff(&computer.shown()[0]), "--- a/b/c.txt\n+++ a/b/c.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
}

async fn what_is_shown_is_the_difference() {
    let computer = Computer::new().with("a.txt", "one\ntwo\nthree\n");
    let (content, fact) = computer.done("write_file", json!({"path": "a.txt", "content": "one\n2\nthree\n"})).await;
    assert_eq!(content, "replaced `a.txt`: 1 lines added, 1 removed");
    assert_eq!(fact, "+1 −1 lines");
    assert_eq!(diff(&computer.shown()[0]), "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");

    let computer = Computer::new().with("a.bin", b"\0\x01\x02");
    computer.done("write_file", json!({"path": "a.bin", "content": "text"})).await;
    assert!(diff(&computer.shown()[0]).contains("-[3 bytes that cannot be compared are replaced]"));
}

async fn the_same_content_changes_nothing() {
    let computer = Computer::new().with("a.txt", "one\n");
    let (content, fact) = computer.done("write_file", json!({"path": "a.txt", "content": "one\n"})).await;
    assert!(content.contains("already holds exactly this"), "{content}");
    assert_eq!(fact, "no change");
}

/// Changes the file while the person looks, then allows.
fn meddling(path: &Arc<Mutex<PathBuf>>) -> ScriptedApprover {
    let path = Arc::clone(path);
    ScriptedApprover::acts(move |_| {
        std::fs::write(&*path.lock().unwrap(), "one\nsomebody else\n").unwrap();
        ApprovalDecision::Allow { scope: ApprovalScope::Once }
    })
}

async fn a_file_that_changes_while_it_is_asked_about_is_shown_again() {
    for (tool, input) in [
        ("write_file", json!({"path": "a.txt", "content": "one\n2\n"})),
        ("edit_file", json!({"path": "a.txt", "old_text": "one", "new_text": "1"})),
    ] {
        let path = Arc::new(Mutex::new(PathBuf::new()));
        let computer = Computer::answering(meddling(&path)).with("a.txt", "one\ntwo\n");
        *path.lock().unwrap() = computer.work.join("a.txt");
        let finished = computer.call(tool, input.clone()).await;
        assert!(matches!(finished.outcome, ToolOutcome::Declined { .. }), "{tool}: {:?}", finished.outcome);
        assert_eq!(computer.text("a.txt").as_deref(), Some("one\nsomebody else\n"), "{tool}: nothing is lost");
        assert!(
            diff(&computer.shown()[1]).contains("somebody else"),
            "{tool}: the second question shows what is there now"
        );

        let computer = Computer::answering(meddling(&path).then_allows_once()).with("a.txt", "one\ntwo\n");
        *path.lock().unwrap() = computer.work.join("a.txt");
        computer.done(tool, input).await;
    }
}

async fn an_edit_changes_the_one_place() {
    let computer = Computer::new().with("a.txt", "one\ntwo\nthree\n");
    let input = json!({"path": "a.txt", "old_text": "two", "new_text": "2\n2½"});
    let (content, fact) = computer.done("edit_file", input).await;
    assert_eq!(content, "edited `a.txt` in 1 place: 2 lines added, 1 removed");
    assert_eq!(fact, "+2 −1 lines");
    assert_eq!(computer.text("a.txt").as_deref(), Some("one\n2\n2½\nthree\n"));
    assert!(diff(&computer.shown()[0]).contains("-two\n+2\n+2½\n"));

    let input = json!({"path": "a.txt", "old_text": "e", "new_text": "E", "replace_all": true});
    assert!(computer.done("edit_file", input).await.0.contains("in 3 places"));
}

async fn an_edit_that_does_not_fit_is_told_before_anybody_is_asked() {
    let computer = Computer::new().with("a.txt", "one one\n\ttwo\n");
    for (old, why) in [
        ("one", "2 times"),
        ("  two", "lines 2 to 2 differ from it only in spaces"),
        ("zebra", "nothing similar"),
        ("", "empty"),
    ] {
        let failure = computer.failure("edit_file", json!({"path": "a.txt", "old_text": old, "new_text": "x"})).await;
        assert!(failure.contains(why), "{old}: {failure}");
    }
    assert!(computer.shown().is_empty());
}

async fn an_edit_keeps_line_ends_and_marks() {
    let computer = Computer::new().with("a.txt", "\u{feff}one\r\ntwo\r\n");
    computer.done("edit_file", json!({"path": "a.txt", "old_text": "one\ntwo", "new_text": "1\n2"})).await;
    assert_eq!(computer.text("a.txt").as_deref(), Some("\u{feff}1\r\n2\r\n"));
}

async fn what_cannot_be_edited_is_told() {
    let computer = Computer::new().with("old.txt", b"caf\xe9 au lait, tr\xe8s bien").with("a.bin", b"\x7fELF\0\0");
    std::fs::hard_link(computer.work.join("old.txt"), computer.work.join("other")).unwrap();
    for (path, why) in [("old.txt", "only UTF-8"), ("a.bin", "a program"), ("missing", "no such"), (".", "folder")] {
        let failure = computer.failure("edit_file", json!({"path": path, "old_text": "a", "new_text": "b"})).await;
        assert!(failure.contains(why), "{path}: {failure}");
    }
    let failure = computer.failure("write_file", json!({"path": "other", "content": "x"})).await;
    assert!(failure.contains("2 names"), "{failure}");
}

async fn what_runs_later_is_never_written() {
    let computer = Computer::new().with(".git/hooks/pre-commit", "mine");
    for path in ["~/.bashrc", "~/.config/autostart/x.desktop", ".git/hooks/pre-commit", "~/.ssh/authorized_keys"] {
        let finished = computer.call("write_file", json!({"path": path, "content": "evil"})).await;
        assert!(matches!(finished.outcome, ToolOutcome::Declined { .. }), "{path}: {:?}", finished.outcome);
    }
    assert_eq!(computer.text(".git/hooks/pre-commit").as_deref(), Some("mine"));
}

async fn a_link_leads_to_where_it_is_shown_to_lead() {
    let computer = Computer::new().with("real.txt", "one\n");
    std::os::unix::fs::symlink("real.txt", computer.work.join("link.txt")).unwrap();
    let (content, _) = computer.done("write_file", json!({"path": "link.txt", "content": "two\n"})).await;
    assert!(content.contains("`real.txt`"), "{content}");
    assert_eq!(computer.text("real.txt").as_deref(), Some("two\n"));
    assert!(computer.work.join("link.txt").is_symlink(), "the link stays a link");
}
