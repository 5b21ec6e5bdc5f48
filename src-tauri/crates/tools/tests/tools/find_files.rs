use crate::support::{Computer, claims};
use serde_json::json;
use std::time::{Duration, Instant};

claims! { "find_files":
    files_are_found_by_name,
    lines_are_found_by_content_with_what_is_around,
    what_git_ignores_is_left_out_unless_asked,
    what_is_not_text_is_skipped,
    links_are_not_followed,
    patterns_that_blow_up_elsewhere_end_at_once,
    a_pattern_that_cannot_be_read_is_told,
    long_answers_are_cut_with_a_note,
}

fn project() -> Computer {
    Computer::new()
        .with("src/main.rs", "fn main() {\n    // Größe\n    run();\n}\n")
        .with("src/lib/run.rs", "pub fn run() {}\n")
        .with("docs/A.PDF", "x")
        .with("docs/b.pdf", "x")
        .with("target/out.rs", "run run\n")
        .with(".gitignore", "target/\n*.log\n!keep.log\n")
        .with("a.log", "run\n")
        .with("keep.log", "run\n")
        .with("inner/.gitignore", "*.rs\n")
        .with("inner/x.rs", "run\n")
        .with(".secret/x", "run\n")
}

async fn files_are_found_by_name() {
    let computer = project();
    let (content, fact) = computer.done("find_files", json!({"name": "*.pdf"})).await;
    assert!(content.contains("docs/A.PDF") && content.contains("docs/b.pdf"), "{content}");
    assert_eq!(fact, "2 files");
    assert_eq!(
        computer.done("find_files", json!({"name": "*.PDF"})).await.1,
        "1 file",
        "who writes capitals means them"
    );
    assert_eq!(computer.done("find_files", json!({"name": "src/**/*.rs"})).await.1, "2 files");
    assert_eq!(computer.done("find_files", json!({"path": "src", "name": "lib/*"})).await.1, "1 file");
    let (content, fact) = computer.done("find_files", json!({"name": "*.xyz"})).await;
    assert!(content.contains("nothing found"), "{content}");
    assert_eq!(fact, "0 files");
}

async fn lines_are_found_by_content_with_what_is_around() {
    let computer = project();
    let (content, fact) = computer.done("find_files", json!({"text": "run()", "name": "*.rs"})).await;
    assert!(
        content.contains("src/main.rs\n  3:     run();\n") && content.contains("src/lib/run.rs\n  1: pub fn run() {}"),
        "{content}"
    );
    assert_eq!(fact, "2 matches in 2 files");
    let input = json!({"text": "gr(ö|oe)sse|größe", "regex": true, "ignore_case": true, "context": 1});
    let (content, _) = computer.done("find_files", input).await;
    assert!(content.contains("  1- fn main() {\n  2:     // Größe\n  3-     run();"), "{content}");
}

async fn what_git_ignores_is_left_out_unless_asked() {
    let computer = project();
    let (content, _) = computer.done("find_files", json!({"text": "run"})).await;
    for left_out in ["target/out.rs", "a.log", "inner/x.rs", ".secret"] {
        assert!(!content.contains(left_out), "{left_out}\n{content}");
    }
    assert!(content.contains("keep.log"), "{content}");
    let (content, _) = computer.done("find_files", json!({"text": "run", "hidden": true})).await;
    for found in ["target/out.rs", "a.log", "inner/x.rs", ".secret/x"] {
        assert!(content.contains(found), "{found}\n{content}");
    }
}

async fn what_is_not_text_is_skipped() {
    let computer = Computer::new().with("a.bin", b"run\0run\n").with("b.txt", "run\n");
    assert_eq!(computer.done("find_files", json!({"text": "run"})).await.1, "1 match in 1 file");
}

async fn links_are_not_followed() {
    let computer = Computer::new().with("a.txt", "run\n");
    std::os::unix::fs::symlink(".", computer.work.join("loop")).unwrap();
    std::os::unix::fs::symlink("/etc", computer.work.join("etc")).unwrap();
    assert_eq!(computer.done("find_files", json!({"name": "*"})).await.1, "1 file");
}

async fn patterns_that_blow_up_elsewhere_end_at_once() {
    let computer = Computer::new().with("a.txt", format!("{}!\n", "a".repeat(1 << 20)));
    let started = Instant::now();
    computer.done("find_files", json!({"text": "(a+)+$", "regex": true})).await;
    computer.done("find_files", json!({"name": "**/**/**/**/**/*a*a*a*a*a*b"})).await;
    computer.failure("find_files", json!({"text": "(a{1000}){1000}", "regex": true})).await;
    computer.failure("find_files", json!({"name": "a".repeat(2000)})).await;
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

async fn a_pattern_that_cannot_be_read_is_told() {
    let computer = Computer::new();
    assert!(
        computer
            .failure("find_files", json!({"text": "(", "regex": true}))
            .await
            .contains("could not read the pattern")
    );
    assert!(computer.failure("find_files", json!({"name": "["})).await.contains("could not read the name pattern"));
    assert!(computer.failure("find_files", json!({})).await.contains("give a name"));
    assert!(
        computer.done("find_files", json!({"text": "("})).await.0.contains("nothing found"),
        "plain text is not a pattern"
    );
}

async fn long_answers_are_cut_with_a_note() {
    let mut computer = Computer::new();
    for number in 0..600 {
        computer = computer.with(&format!("many/{number:04}.txt"), "");
    }
    computer = computer.with("lines.txt", "run\n".repeat(1000));
    let (content, fact) = computer.done("find_files", json!({"name": "*.txt"})).await;
    assert_eq!(fact, "500 files");
    assert!(content.contains("there are more files than are shown"), "{}", &content[content.len() - 200..]);
    let (content, fact) = computer.done("find_files", json!({"text": "run"})).await;
    assert_eq!(fact, "30 matches in 1 file");
    assert!(content.contains("a file has more matches than are shown"));
}
