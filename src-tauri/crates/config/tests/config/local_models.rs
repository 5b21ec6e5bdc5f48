use crate::home::Home;
use namma_config::load_catalogue;

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
        let error = load_catalogue(&home.paths()).unwrap_err();
        assert!(error.to_string().contains("local-models.yaml"), "{wrong}: {error}");
    }
}
