use crate::support::{Computer, claims};
use serde_json::json;

claims! { "make_dir":
    a_folder_is_made_with_those_above_it,
    a_folder_that_is_there_is_fine_and_a_file_is_not,
}

async fn a_folder_is_made_with_those_above_it() {
    let computer = Computer::new();
    let (content, _) = computer.done("make_dir", json!({"path": "a/b/c"})).await;
    assert_eq!(content, "made the folder `a/b/c`");
    assert!(computer.work.join("a/b/c").is_dir());
}

async fn a_folder_that_is_there_is_fine_and_a_file_is_not() {
    let computer = Computer::new().with("folder/file", "");
    assert_eq!(computer.done("make_dir", json!({"path": "folder"})).await.1, "was there");
    assert!(computer.failure("make_dir", json!({"path": "folder/file"})).await.contains("a file has that name"));
    assert!(computer.failure("make_dir", json!({"path": "folder/file/x"})).await.contains("not a folder"));
}
