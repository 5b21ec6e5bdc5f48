use namma_core::ports::ToolSpec;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;

/// What every vendor takes as the name of a tool: up to 64 of these characters.
const MAX_CHARS: usize = 64;

/// Digits of the hash that keeps changed names apart, and the mark before them.
const HASH_DIGITS: usize = 16;

/// The name as vendors take it. A clean name is left alone; another one is cleaned and cut, and a
/// hash of the whole name keeps it apart from those that look the same afterwards. The same name
/// gives the same one always.
pub(crate) fn wire_name(name: &str) -> Cow<'_, str> {
    if (1..=MAX_CHARS).contains(&name.len()) && name.chars().all(is_taken) {
        return Cow::Borrowed(name);
    }
    let kept = MAX_CHARS - HASH_DIGITS - 1;
    let mut wire: String = name.chars().take(kept).map(|c| if is_taken(c) { c } else { '_' }).collect();
    wire.push('_');
    wire.push_str(&hex::encode(Sha256::digest(name))[..HASH_DIGITS]);
    Cow::Owned(wire)
}

fn is_taken(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

/// The tools of a request whose names had to be changed: how the model calls them, and their own
/// names.
#[derive(Debug, Default)]
pub(crate) struct ChangedNames(HashMap<String, String>);

impl ChangedNames {
    pub(crate) fn of(tools: &[ToolSpec]) -> Self {
        let changed = |tool: &ToolSpec| match wire_name(&tool.name) {
            Cow::Borrowed(_) => None,
            Cow::Owned(wire) => Some((wire, tool.name.clone())),
        };
        Self(tools.iter().filter_map(changed).collect())
    }

    /// The tool's own name.
    pub(crate) fn own(&self, wire: String) -> String {
        self.0.get(&wire).cloned().unwrap_or(wire)
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangedNames, wire_name};
    use namma_core::ports::ToolSpec;
    use std::collections::HashSet;

    #[test]
    fn different_names_stay_different_and_find_their_way_back() {
        let long = "x".repeat(70);
        let longer = format!("{long}y");
        let names = ["read_file", "a.b", "a_b", "a b", "日本", "ಕಡತ", "", &long, &longer];
        let tools: Vec<ToolSpec> = names
            .iter()
            .map(|name| ToolSpec { name: (*name).to_owned(), description: String::new(), parameters: true.into() })
            .collect();
        let changed = ChangedNames::of(&tools);
        let mut seen = HashSet::new();
        for name in names {
            let wire = wire_name(name).into_owned();
            assert!((1..=64).contains(&wire.len()), "{wire}");
            assert!(wire.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-'), "{wire}");
            assert_eq!(changed.own(wire.clone()), name, "{wire}");
            assert!(seen.insert(wire), "{name}");
        }
    }

    #[test]
    fn a_clean_name_is_left_alone_and_a_changed_one_never_changes() {
        assert_eq!(wire_name("read_file"), "read_file");
        assert_eq!(wire_name("a.b"), "a_b_2e7336dc8eba87ef");
    }
}
