//! From what is meant to ordinary tool calls, one after the other.

use super::intent::{Intent, Sort};
use serde_json::{Value, json};

/// A call that a request leads to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planned {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
}

/// How many of them are shown when somebody wants to delete "the largest file".
const TO_CHOOSE_FROM: u32 = 5;
/// Facts that are shown, or among which the one to forget is looked for: as many as the tool gives.
pub(super) const MOST_FACTS: u32 = 50;
/// Names that differ in capitals alone, and are looked at after a change.
const NAMES_TO_COMPARE: u32 = 20;
/// Lines that an extract is taken from.
const LINES_TO_EXTRACT: u32 = 2000;

/// The calls of a request, in order: each is made when the one before it has succeeded. What
/// changes something is looked at afterwards.
pub(super) fn plan(intent: &Intent) -> Vec<Planned> {
    let call = |tool, arguments| vec![Planned { tool, arguments }];
    match intent {
        Intent::Files { sort, count, kind, folder } => call("list_dir", files(*sort, *count, kind.as_deref(), folder)),
        Intent::WhichToDelete { sort, folder } => call("list_dir", files(*sort, TO_CHOOSE_FROM, None, folder)),
        Intent::List { folder, hidden: false } => call("list_dir", json!({ "path": folder })),
        Intent::List { folder, hidden: true } => call("list_dir", json!({ "path": folder, "hidden": true })),
        Intent::Find { glob, folder } => call("find_files", json!({ "path": folder, "name": glob })),
        Intent::FindText { text, folder } => {
            call("find_files", json!({ "path": folder, "text": text, "ignore_case": true }))
        }
        Intent::Read { path } => call("read_file", json!({ "path": path })),
        Intent::Summarise { path } => call("read_file", json!({ "path": path, "limit": LINES_TO_EXTRACT })),
        Intent::Move { from, to } => {
            vec![Planned { tool: "move_path", arguments: json!({ "from": from, "to": to }) }, look(&moved_to(from, to))]
        }
        Intent::Delete { path } => {
            vec![Planned { tool: "delete_path", arguments: json!({ "path": path }) }, look(path)]
        }
        Intent::MakeDir { path } => {
            vec![Planned { tool: "make_dir", arguments: json!({ "path": path }) }, look(path)]
        }
        Intent::Open { target } => call("open_target", json!({ "target": target })),
        Intent::Chats { text } => call("search_chats", json!({ "query": text })),
        Intent::Remember { text } => call("remember", json!({ "text": text })),
        Intent::Recall { about: None } => call("recall", json!({ "limit": MOST_FACTS })),
        Intent::Recall { about: Some(about) } => call("recall", json!({ "query": about, "limit": MOST_FACTS })),
        // What exactly goes depends on what is found: `recalled::to_forget`.
        Intent::Forget { text } => call("recall", json!({ "query": text, "limit": MOST_FACTS })),
        Intent::Computer(_) => call("system_info", json!({})),
        Intent::Answer(_) | Intent::Talk(_) | Intent::Lacks(_) => Vec::new(),
    }
}

/// The call that forgets one fact.
pub(super) fn forget(id: &str) -> Planned {
    Planned { tool: "forget", arguments: json!({ "ids": [id] }) }
}

fn files(sort: Sort, count: u32, kind: Option<&str>, folder: &str) -> Value {
    let order = match sort {
        Sort::Largest => "size",
        Sort::Newest => "modified",
        Sort::Oldest => "oldest",
    };
    let mut arguments = json!({ "path": folder, "sort": order, "below": true, "files_only": true, "limit": count });
    if let Some(kind) = kind {
        arguments["name"] = format!("*.{kind}").into();
    }
    arguments
}

/// Where something is once it was moved.
pub(super) fn moved_to(from: &str, to: &str) -> String {
    if to.ends_with('/') { format!("{to}{}", last_name(from)) } else { to.to_owned() }
}

/// The last name of a path.
pub(super) fn last_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

/// Is it there? A glob takes small letters for capitals, too: whoever reads the list compares.
fn look(path: &str) -> Planned {
    let path = path.trim_end_matches('/');
    let (folder, name) = match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some((folder, name)) => (folder, name),
        None => (".", path),
    };
    Planned {
        tool: "list_dir",
        arguments: json!({ "path": folder, "name": literally(name), "hidden": true, "limit": NAMES_TO_COMPARE }),
    }
}

/// A glob that only this name fits.
fn literally(name: &str) -> String {
    name.chars().fold(String::new(), |mut glob, c| {
        match c {
            '*' | '?' | '[' | ']' | '{' | '}' => glob.extend(['[', c, ']']),
            // In a class it would not be itself.
            '\\' => glob.push_str("\\\\"),
            _ => glob.push(c),
        }
        glob
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_moved_is_looked_for_where_it_went() {
        let looked =
            |from: &str, to: &str| plan(&Intent::Move { from: from.into(), to: to.into() })[1].arguments.clone();
        let there = |path: &str, name: &str| json!({ "path": path, "name": name, "hidden": true, "limit": 20 });
        assert_eq!(looked("a/b.txt", "c/"), there("c", "b.txt"));
        assert_eq!(looked("a.txt", "~/x/n[1].txt"), there("~/x", "n[[]1[]].txt"));
        assert_eq!(looked("a.txt", "/b.txt"), there("/", "b.txt"));
    }
}
