//! What the documents name exists, and every decision is found from their list.

use super::{our_files, read, root};
use std::path::Path;

/// What a reader is told to make.
const EXAMPLES: [&str; 1] = ["src-tauri/crates/tools/src/files/count_words.rs"];

fn documents() -> Vec<String> {
    our_files().into_iter().filter(|name| name.starts_with("docs/") && name.ends_with(".md")).collect()
}

/// The words between backticks that are a path to a file: no spaces, no placeholders.
fn named_files(text: &str) -> Vec<&str> {
    const ENDS: [&str; 11] = [".rs", ".ts", ".tsx", ".toml", ".yaml", ".md", ".sql", ".css", ".json", ".py", ".sh"];
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| word.contains('/') && ENDS.iter().any(|end| word.ends_with(end)))
        .filter(|word| !word.contains(|c: char| c.is_whitespace() || "<>{}*…$~".contains(c)) && !word.starts_with('/'))
        .collect()
}

#[test]
fn the_documents_name_only_files_that_exist() {
    let files = our_files();
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        for name in named_files(&text) {
            // Inside a chapter about a crate, its name is left out.
            let end = format!("/{name}");
            let is_there = root().join(name).exists() || files.iter().any(|file| file.ends_with(&end));
            if !is_there && !EXAMPLES.contains(&name) {
                missing.push(format!("{document}: {name}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn the_links_of_the_documents_lead_somewhere() {
    let mut broken = Vec::new();
    for document in documents().into_iter().chain(["README.md".to_owned()]) {
        let text = read(&document);
        let folder = Path::new(&document).parent().unwrap_or(Path::new("")).to_owned();
        for part in text.split("](").skip(1) {
            let target = part.split([')', '#', ' ']).next().unwrap_or_default();
            let local = !target.is_empty() && !target.contains(':');
            if local && !root().join(&folder).join(target).exists() {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn every_decision_is_on_the_list_of_decisions() {
    let list = read("docs/decisions/README.md");
    let unlisted: Vec<String> = documents()
        .into_iter()
        .filter_map(|name| name.strip_prefix("docs/decisions/").map(str::to_owned))
        .filter(|page| page != "README.md" && !list.contains(&format!("]({page})")))
        .collect();
    assert_eq!(unlisted, Vec::<String>::new());
}
