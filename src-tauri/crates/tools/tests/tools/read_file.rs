use crate::support::{Computer, claims};
use namma_core::trust::Taint;
use namma_protocol::ToolOutcome;
use serde_json::json;

claims! { "read_file":
    a_text_is_read_and_taints_the_turn,
    a_part_says_where_it_goes_on,
    what_is_not_text_is_told_with_its_facts,
    another_encoding_is_read_and_named,
    what_cannot_be_read_is_told,
    keys_are_never_read,
}

async fn a_text_is_read_and_taints_the_turn() {
    let computer = Computer::new().with("notes.txt", "one\ntwo\n");
    let finished = computer.call("read_file", json!({"path": "notes.txt"})).await;
    let ToolOutcome::Succeeded { content } = &finished.outcome else { panic!("{finished:?}") };
    assert!(content.contains("one\ntwo"), "{content}");
    assert_eq!(finished.fact.as_deref(), Some("2 lines"));
    assert!(finished.taint.contains(Taint::Document), "text of a file comes from outside");
    assert!(computer.shown().is_empty(), "reading does not ask");
}

async fn a_part_says_where_it_goes_on() {
    let text: String = (1..=5000).map(|n| format!("line {n}\n")).collect();
    let computer = Computer::new().with("long.txt", text);
    let (content, fact) = computer.done("read_file", json!({"path": "long.txt", "offset": 10, "limit": 3})).await;
    assert!(content.contains("line 10\nline 11\nline 12\n[lines 10 to 12 of 5000; go on with offset 13]"), "{content}");
    assert_eq!(fact, "3 lines");
    let (content, fact) = computer.done("read_file", json!({"path": "long.txt"})).await;
    assert!(content.contains("[lines 1 to 2000 of 5000; go on with offset 2001]"));
    assert_eq!(fact, "2,000 lines");
    let failure = computer.failure("read_file", json!({"path": "long.txt", "offset": 6000})).await;
    assert!(failure.contains("5,000 lines"), "{failure}");
}

async fn what_is_not_text_is_told_with_its_facts() {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0".to_vec();
    png.resize(4200, 0);
    let computer = Computer::new().with("a.png", png).with("empty", "");
    let failure = computer.failure("read_file", json!({"path": "a.png"})).await;
    assert!(failure.contains("`a.png` as text: it is a PNG picture (4.2 KB)"), "{failure}");
    assert_eq!(computer.done("read_file", json!({"path": "empty"})).await.1, "empty");
}

async fn another_encoding_is_read_and_named() {
    let computer = Computer::new().with("old.txt", b"Les \xe9l\xe8ves fran\xe7ais \xe9taient tr\xe8s fatigu\xe9s.");
    let (content, _) = computer.done("read_file", json!({"path": "old.txt"})).await;
    assert!(content.contains("élèves") && content.contains("[the file is in windows-1252]"), "{content}");
}

async fn what_cannot_be_read_is_told() {
    let computer = Computer::new().with("folder/x", "");
    for (path, why) in [
        ("missing", "no such file"),
        ("folder", "folder"),
        ("../../../../../../dev/zero", "device"),
        ("/proc/self/cmdline", "running programs"),
        ("", "empty"),
    ] {
        let failure = computer.failure("read_file", json!({"path": path})).await;
        assert!(failure.contains(why), "{path}: {failure}");
    }
}

async fn keys_are_never_read() {
    let computer = Computer::new();
    std::fs::create_dir(computer.home.join(".ssh")).unwrap();
    std::fs::write(computer.home.join(".ssh/id_rsa"), "secret").unwrap();
    std::os::unix::fs::symlink("../.ssh/id_rsa", computer.work.join("innocent")).unwrap();
    for path in ["~/.ssh/id_rsa", "innocent", "../.ssh/../.ssh/id_rsa"] {
        let finished = computer.call("read_file", json!({"path": path})).await;
        assert!(matches!(finished.outcome, ToolOutcome::Declined { .. }), "{path}: {:?}", finished.outcome);
    }
}
