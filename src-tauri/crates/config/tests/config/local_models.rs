use crate::home::Home;
use namma_config::{ConfigHandle, load_catalogue};

const ENTRY: &str = "
models:
  - name: qwen3-4b
    title: My own build
    url: http://127.0.0.1:9/own.gguf
    bytes: 10
    context_tokens: 2048
    licence: MIT
    memory_bytes: 20
    calls_tools: false
";

#[test]
fn an_entry_of_the_person_replaces_ours_of_the_same_name() {
    let home = Home::new();
    let ours = load_catalogue(&home.paths()).unwrap();
    std::fs::write(home.path("local-models.yaml"), ENTRY).unwrap();
    let both = load_catalogue(&home.paths()).unwrap();
    assert_eq!(both.models.len(), ours.models.len());
    assert_eq!(both.models[0].title, "My own build");
    assert_eq!(both.find("qwen3-4b").map(|model| model.bytes), Some(10));
}

#[test]
fn a_broken_entry_is_told_with_its_file() {
    for (wrong, right) in [
        ("name: ../up", "name: qwen3-4b"),
        ("url: file:///own.gguf", "url: http://127.0.0.1:9/own.gguf"),
        ("sha256: abc\n    bytes: 10", "bytes: 10"),
        ("bytes: many", "bytes: 10"),
        ("byte: 10", "bytes: 10"),
    ] {
        let home = Home::new();
        std::fs::write(home.path("local-models.yaml"), ENTRY.replace(right, wrong)).unwrap();
        let problems = load_catalogue(&home.paths()).unwrap_err().problems();
        let told = problems[0].to_string();
        assert!(told.contains("local-models.yaml:"), "{wrong}: {told}");
        // Before anything is installed, too.
        let (config, _) = ConfigHandle::open_or_cautious(home.paths(), home.environment());
        assert_eq!(config.problems(), problems, "{wrong}");
    }
    let home = Home::new();
    std::fs::write(home.path("local-models.yaml"), "models:\n").unwrap();
    assert!(load_catalogue(&home.paths()).is_ok(), "no entries yet");
}
