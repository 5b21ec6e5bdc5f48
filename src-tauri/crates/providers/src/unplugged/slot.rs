//! What may stand in a pattern instead of a fixed word.

use super::apps;
use super::dates::{self, Day, Period};
use super::sums::{self, Outcome};
use super::tokens::Token;
use super::units::{self, Quantity, Unit};
use super::vocabulary as words;

/// A kind of gap in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Exactly one path, in quotes or with the look of one; never a wildcard.
    Path,
    /// A bare or quoted name.
    Name,
    /// A path, a name in quotes or a wildcard.
    Glob,
    /// The end of file names: `pdf`.
    Kind,
    /// Any text in quotes.
    Quote,
    /// A folder that each home has.
    Known,
    /// A folder that is surely one: known, quoted, or with a slash.
    Place,
    /// A folder, or a word that may be the name of one.
    Folder,
    /// Any words.
    Text,
    /// Words to look for: in quotes, or none that says where or how to look.
    Phrase,
    /// A statement to remember, or what is left of it to forget.
    Fact,
    /// A statement that says so itself: "my sister lives in Mysuru".
    Statement,
    /// A small whole number.
    Count,
    Day,
    Period,
    /// A number, perhaps of money.
    Number,
    Percent,
    /// A sum with at least one sign.
    Sum,
    Quantity,
    Unit,
    /// The name of a currency.
    Currency,
    /// A web address, with or without its beginning.
    Address,
    /// An application by a name that is surely one.
    KnownApp,
    /// A name of several words as menus write them: "LibreOffice Writer".
    AppName,
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Kind(String),
    Count(u32),
    Day(Day),
    Period(Period),
    Sum(Outcome),
    Quantity(Quantity),
    Unit(Unit),
}

impl Slot {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "path" => Self::Path,
            "name" => Self::Name,
            "glob" => Self::Glob,
            "kind" => Self::Kind,
            "quote" => Self::Quote,
            "known" => Self::Known,
            "place" => Self::Place,
            "folder" => Self::Folder,
            "text" => Self::Text,
            "phrase" => Self::Phrase,
            "fact" => Self::Fact,
            "statement" => Self::Statement,
            "count" => Self::Count,
            "day" => Self::Day,
            "period" => Self::Period,
            "number" => Self::Number,
            "percent" => Self::Percent,
            "sum" => Self::Sum,
            "quantity" => Self::Quantity,
            "unit" => Self::Unit,
            "currency" => Self::Currency,
            "address" => Self::Address,
            "known-app" => Self::KnownApp,
            "app-name" => Self::AppName,
            _ => return None,
        })
    }

    pub(super) fn most_words(self) -> usize {
        match self {
            Self::Path | Self::Name | Self::Glob | Self::Kind | Self::Quote => 1,
            Self::Known | Self::Place | Self::Folder | Self::Count | Self::Period | Self::Currency => 1,
            Self::Number | Self::Percent => 2,
            Self::Address => 1,
            Self::KnownApp => 3,
            Self::AppName => 5,
            Self::Unit => 3,
            Self::Quantity => 4,
            Self::Day => 5,
            Self::Text | Self::Phrase => 12,
            Self::Sum | Self::Fact | Self::Statement => 40,
        }
    }

    /// What these words mean here, if they may stand here.
    pub(super) fn take(self, tokens: &[Token]) -> Option<Value> {
        let (first, alone) = (tokens.first()?, tokens.len() == 1);
        let text = |given: bool| given.then(|| Value::Text(first.raw.clone()));
        match self {
            Self::Path => text(alone && is_path(first)),
            Self::Name => text(alone && is_name(first)),
            Self::Glob => text(alone && (is_wildcard(first) || is_path(first) && has_an_end(&first.raw))),
            Self::Kind => {
                (!first.quoted && words::KINDS.contains(&first.fold.as_str())).then(|| Value::Kind(first.fold.clone()))
            }
            Self::Quote => text(first.quoted && !first.raw.trim().is_empty()),
            Self::Known => {
                (!first.quoted).then(|| words::folder(&first.fold)).flatten().map(|path| Value::Text(path.into()))
            }
            Self::Place => place(first).map(Value::Text),
            Self::Folder => place(first).map(Value::Text).or_else(|| text(is_name(first) && !first.quoted)),
            Self::Phrase if tokens.iter().any(|token| !token.quoted && words::SEARCHING.contains(&&*token.fold)) => {
                None
            }
            Self::Text | Self::Phrase => {
                (alone || tokens.iter().all(|token| !token.quoted)).then(|| Value::Text(spoken(tokens)))
            }
            Self::Fact => fact(tokens).map(Value::Text),
            Self::Statement => states(tokens).then(|| fact(tokens).map(Value::Text)).flatten(),
            Self::Count => words::number(&first.fold).map(Value::Count),
            Self::Period => dates::period(&first.fold).map(Value::Period),
            Self::Day => dates::day(&folded(tokens)?).map(Value::Day),
            Self::Number => sums::is_number(&joined(tokens)?).then(|| joined(tokens).map(Value::Text)).flatten(),
            Self::Percent => sums::is_percent(&joined(tokens)?).then(|| joined(tokens).map(Value::Text)).flatten(),
            Self::Sum => sums::evaluate(&joined(tokens)?).map(Value::Sum),
            Self::Quantity => units::quantity(&folded(tokens)?).map(Value::Quantity),
            Self::Unit => units::unit(&joined(tokens)?).map(Value::Unit),
            Self::Address => text(alone && !first.quoted && is_address(&first.raw)),
            Self::KnownApp => apps::named(&joined(tokens)?).map(|name| Value::Text(name.into())),
            Self::AppName => is_app_name(tokens).then(|| Value::Text(spoken(tokens))),
            Self::Currency => text(!first.quoted && words::CURRENCIES.contains(&first.fold.as_str())),
        }
    }
}

fn spoken(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Several words, each of them a name that begins with a capital or a digit: "Gone App", but not
/// "Firefox and delete a.txt".
fn is_app_name(tokens: &[Token]) -> bool {
    let is_capital = |token: &Token| token.raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let is_word = |token: &Token| !token.quoted && is_name(token) && !token.raw.contains(['/', '~']);
    let begins = tokens.first().is_some_and(|token| token.raw.starts_with(char::is_uppercase));
    begins && tokens.len() > 1 && tokens.iter().all(|token| is_word(token) && is_capital(token))
}

fn folded(tokens: &[Token]) -> Option<Vec<&str>> {
    tokens.iter().map(|token| (!token.quoted).then_some(token.fold.as_str())).collect()
}

fn joined(tokens: &[Token]) -> Option<String> {
    folded(tokens).map(|words| words.join(" "))
}

/// `.`, `..`, `~`, `/`: not a thing to move or to delete.
fn is_only_dots(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '.' | '/' | '~' | ' '))
}

/// Does the last part of a path end like the name of a file?
fn has_an_end(raw: &str) -> bool {
    raw.rsplit('/').next().and_then(|name| name.rsplit_once('.')).is_some_and(|(_, end)| !end.is_empty())
}

fn is_wildcard(token: &Token) -> bool {
    token.raw.contains(['*', '?']) && !token.raw.contains("://")
}

/// Exactly one path, given by the person.
fn is_path(token: &Token) -> bool {
    if is_only_dots(&token.raw) || token.raw.contains(['*', '?']) {
        return false;
    }
    token.quoted || looks_like_a_path(&token.raw)
}

/// `notes.txt`, `.env`, `src/`, `~/plan`, but no number, address or e-mail.
fn looks_like_a_path(raw: &str) -> bool {
    if raw.contains("://") || raw.contains(['@', '(', ')', '"', '\'', ',', ';', '=', '|', '<', '>', '%']) {
        return false;
    }
    let name = raw.trim_end_matches('/').rsplit('/').next().unwrap_or(raw);
    let has_letter = |text: &str| text.chars().any(char::is_alphabetic);
    if raw.contains('/') {
        return has_letter(raw);
    }
    let Some((stem, end)) = name.rsplit_once('.') else { return false };
    has_letter(end)
        && end.chars().count() <= 10
        && end.chars().all(char::is_alphanumeric)
        && (stem.is_empty() || !stem.ends_with('.'))
}

/// A word that may be a name. One that points at something said before is not.
fn is_name(token: &Token) -> bool {
    if token.quoted {
        return !is_only_dots(&token.raw) && !token.raw.contains(['*', '?']);
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '~') || words::is_sign(c);
    token.raw.chars().all(plain)
        && !is_only_dots(&token.raw)
        && token.raw.chars().any(char::is_alphanumeric)
        && !words::NO_NAMES.contains(&token.fold.as_str())
}

/// `https://example.org/a`, `example.org`; what is right in it, the tool says.
fn is_address(raw: &str) -> bool {
    let lower = raw.to_lowercase();
    if ["https://", "http://"].iter().any(|start| lower.strip_prefix(start).is_some_and(|rest| !rest.is_empty())) {
        return true;
    }
    let host = lower.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_host = host.rsplit_once('.').is_some_and(|(before, end)| {
        !before.is_empty() && end.len() >= 2 && end.chars().all(char::is_alphabetic) && !words::KINDS.contains(&end)
    });
    is_host && !raw.contains(['@', '(', ')', '"', '\'', '|', '<', '>']) || host == "localhost"
}

/// As the person wrote it. What points at something said before, asks, or tells to do something
/// is no statement.
fn fact(tokens: &[Token]) -> Option<String> {
    if let [only] = tokens {
        return only.quoted.then(|| only.raw.trim().to_owned()).filter(|text| !text.is_empty());
    }
    let (first, last) = (tokens.first()?, tokens.last()?);
    let points = !first.quoted && words::NO_FACTS.contains(&first.fold.as_str());
    if points || last.whole.ends_with(['?', '？']) {
        return None;
    }
    let text = tokens.iter().map(|token| token.whole.as_str()).collect::<Vec<_>>().join(" ");
    Some(text.trim_end_matches(['.', '!', ',', ';', ':', '।']).to_owned())
}

/// Is there a word that makes a statement of it?
fn states(tokens: &[Token]) -> bool {
    tokens.iter().skip(1).any(|token| !token.quoted && words::STATES.contains(&token.fold.as_str()))
}

fn place(token: &Token) -> Option<String> {
    if !token.quoted {
        if let Some(known) = words::folder(&token.fold) {
            return Some(known.to_owned());
        }
        if matches!(token.raw.as_str(), "." | ".." | "~" | "/") {
            return Some(token.raw.clone());
        }
    }
    let named = token.raw.contains('/') && is_path(token) && !has_an_end(&token.raw);
    (token.quoted && is_name(token) || named).then(|| token.raw.clone())
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn takes(slot: Slot, text: &str) -> bool {
        slot.take(&tokens(text).unwrap()).is_some()
    }

    #[test]
    fn a_path_is_one_exact_path() {
        for good in ["a.txt", ".env", "src/", "~/plan", "\"my notes\"", "a/b.c/d", "ಟಿಪ್ಪಣಿ.txt", "x.7z", "/tmp/x"]
        {
            assert!(takes(Slot::Path, good), "{good}");
        }
        let bad = [
            "everything",
            "*",
            "*.txt",
            "a?.txt",
            "\"*\"",
            ".",
            "..",
            "~",
            "~/",
            "/",
            "../..",
            "\"\"",
            "3.14",
            "https://a.b/c",
            "me@a.org",
            "it",
            "notes",
            "a.txt,b.txt",
            "1/2",
        ];
        for bad in bad {
            assert!(!takes(Slot::Path, bad), "{bad}");
        }
    }

    #[test]
    fn a_place_is_surely_a_folder() {
        assert_eq!(Slot::Place.take(&tokens("Downloads").unwrap()), Some(Value::Text("~/Downloads".into())));
        assert!(takes(Slot::Place, "src/") && takes(Slot::Place, "..") && takes(Slot::Place, "\"My Photos\""));
        assert!(!takes(Slot::Place, "love") && takes(Slot::Folder, "src") && !takes(Slot::Folder, "there"));
    }
}
