//! Stage 3: who asks, and where the destinations come from.

use crate::gate::handles::Facts;
use crate::gate::refusal::Refusal;
use crate::gate::scope::TurnScope;
use crate::trust::Trust;
use namma_protocol::Effect;
use std::path::Path;

/// What this stage adds to the policy's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    None,
    /// The person must be asked; no rule and no remembered grant can spare the question.
    MustAsk {
        reason: String,
    },
}

/// An untrusted caller may look, never act. A turn that has read text from outside asks before it
/// sends anything to a destination that the owner did not name.
pub(crate) fn check(effects: &[Effect], turn: &TurnScope) -> Result<Concern, Refusal> {
    if turn.trust == Trust::Untrusted && effects.iter().any(|effect| !is_reading(effect)) {
        return Err(Refusal::declined(
            3,
            "untrusted_caller",
            "whoever asked may only look; this would change or send something",
        ));
    }
    // Memory is the owner's: nobody else reads it, and nothing writes it while nobody is there.
    let is_denied = match turn.trust {
        Trust::Owner | Trust::Trusted => false,
        Trust::Untrusted => effects.iter().any(reads_memory),
        Trust::Autonomous => effects.iter().any(writes_memory),
    };
    if is_denied {
        return Err(Refusal::declined(3, "memory_is_private", "only the person's own requests may use their memory"));
    }
    let concern = effects.iter().find_map(|effect| concern_of(effect, turn));
    Ok(concern.map_or(Concern::None, |reason| Concern::MustAsk { reason }))
}

/// Why this must be asked, whatever the rules say.
fn concern_of(effect: &Effect, turn: &TurnScope) -> Option<String> {
    let is_clean = turn.taint().is_clean();
    match effect {
        Effect::Forget { .. } => Some("What is forgotten cannot be brought back.".into()),
        Effect::Remember { .. } if is_clean && turn.trust != Trust::Owner => {
            Some("It was not you who asked for it.".into())
        }
        _ if is_clean => None,
        Effect::Remember { .. } => Some(
            "This chat has read something that is not from you, and what is remembered counts in every later chat."
                .into(),
        ),
        Effect::Network { url, host, .. } => (!is_named_by_owner(url, host, MOST_PATH, turn))
            .then(|| format!("The address at {host} comes from something that was read, not from you.")),
        // A page that opens is fetched by a browser that is logged in everywhere.
        Effect::OpenAddress { url, host } => (!is_named_by_owner(url, host, 0, turn))
            .then(|| format!("The address at {host} comes from something that was read, not from you.")),
        effect => opened_and_not_named(effect, turn)
            .map(|name| format!("{name} was chosen after something was read, and you did not name it.")),
    }
}

fn writes_memory(effect: &Effect) -> bool {
    matches!(effect, Effect::Remember { .. } | Effect::Forget { .. })
}

fn reads_memory(effect: &Effect) -> bool {
    matches!(effect, Effect::ReadSystem { what } if what == Facts::KIND)
}

/// The file or application that would open, when the owner's words do not have its name. A file is
/// named by its path, or in the working folder by a name that is no common word.
fn opened_and_not_named<'e>(effect: &'e Effect, turn: &TurnScope) -> Option<&'e str> {
    let is_named = |name: &str| !name.is_empty() && contains_word(&turn.owner_text, &name.to_lowercase());
    match effect {
        Effect::OpenFile { path } => {
            let shown = turn.place().display(Path::new(path));
            let is_common_word = !shown.contains(['.', '/']);
            let is_shown_named = !is_common_word && is_named(&shown);
            (!is_shown_named && !is_named(path)).then_some(path)
        }
        Effect::OpenApp { id, name, .. } => {
            let last = id.rsplit('.').next().unwrap_or(id);
            (!is_named(name) && !is_named(last)).then_some(name)
        }
        _ => None,
    }
}

fn is_reading(effect: &Effect) -> bool {
    match effect {
        Effect::ReadFile { .. } | Effect::ReadSystem { .. } => true,
        Effect::WriteFile { .. }
        | Effect::MoveFile { .. }
        | Effect::DeleteFile { .. }
        | Effect::RunCommand { .. }
        | Effect::Network { .. }
        | Effect::OpenFile { .. }
        | Effect::OpenAddress { .. }
        | Effect::OpenApp { .. }
        | Effect::Remember { .. }
        | Effect::Forget { .. }
        | Effect::Opaque { .. } => false,
    }
}

/// Characters behind the host of an address that can carry little away.
const MOST_PATH: usize = 60;

/// The whole address stands in the owner's words, or the host of one with no payload and no more than
/// so many characters behind it.
fn is_named_by_owner(url: &str, host: &str, most_path: usize, turn: &TurnScope) -> bool {
    let url = url.to_lowercase();
    let without_slash = url.trim_end_matches('/');
    let bare = without_slash.split_once("://").map_or(without_slash, |(_, rest)| rest);
    let bare = bare.strip_prefix("mailto:").unwrap_or(bare);
    let whole = contains_word(&turn.owner_text, bare);
    let has_payload = bare.contains(['?', '#']) || bare.len() > host.len() + most_path;
    whole || (!has_payload && contains_word(&turn.owner_text, &host.to_lowercase()))
}

/// `evil.example` is not named by somebody who wrote `not-evil.example.org`.
fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '@');
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + found.len()..].chars();
        let next = after.next();
        let inside_longer_host = match next {
            Some('.') => after.next().is_some_and(char::is_alphanumeric),
            Some(c) => is_part(c),
            None => false,
        };
        before.is_none_or(|c| !is_part(c) && c != '.') && !inside_longer_host
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_counts_as_named_only_as_a_whole_word() {
        let text = "please read https://example.org/a and evil.example.org. thanks";
        assert!(contains_word(text, "example.org/a"));
        assert!(contains_word(text, "evil.example.org"));
        assert!(!contains_word(text, "evil.example"), "a shorter name is another host");
        assert!(!contains_word("not-evil.example", "evil.example"));
        assert!(!contains_word("see sub.evil.example", "evil.example"));
        assert!(!contains_word("a@evil.example2", "evil.example"));
    }
}
