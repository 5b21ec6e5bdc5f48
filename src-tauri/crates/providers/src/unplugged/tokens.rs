//! A request in words: where each begins and ends, its form for comparing, and what stood in quotes.

use unicode_normalization::UnicodeNormalization;

/// One word, or one quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// As the person wrote it, without quotes and the punctuation of the sentence.
    pub(super) raw: String,
    /// For comparing: small letters, plain digits, no invisible marks.
    pub(super) fold: String,
    pub(super) quoted: bool,
    /// With its quotes and punctuation, for sentences that are kept.
    pub(super) whole: String,
}

/// More words than this are a story, not a simple request.
const MAX_TOKENS: usize = 40;

/// The words of a request; `None` when it is too long, has several lines or a quote that is not closed.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut rest = text.trim();
    if rest.contains('\n') {
        return None;
    }
    let mut found = Vec::new();
    while !rest.is_empty() {
        if found.len() == MAX_TOKENS {
            return None;
        }
        let (token, after) = match closing_of(rest) {
            Some(closing) => quoted(rest, closing)?,
            None => word(rest),
        };
        found.extend(token);
        rest = after.trim_start();
    }
    Some(found)
}

/// The form in which words are compared.
pub(super) fn fold(word: &str) -> String {
    word.nfc()
        .filter(|c| !matches!(c, '\u{200B}'..='\u{200D}' | '\u{FEFF}'))
        .flat_map(|c| match c {
            '’' | '‘' => vec!['\''],
            '०'..='९' => plain_digit(c, '०'),
            '೦'..='೯' => plain_digit(c, '೦'),
            _ => c.to_lowercase().collect(),
        })
        .collect()
}

fn plain_digit(digit: char, zero: char) -> Vec<char> {
    char::from_digit(u32::from(digit) - u32::from(zero), 10).into_iter().collect()
}

/// The mark that would close a quote that begins here.
fn closing_of(text: &str) -> Option<char> {
    match text.chars().next()? {
        '"' => Some('"'),
        '\'' => Some('\''),
        '`' => Some('`'),
        '“' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

fn quoted(text: &str, closing: char) -> Option<(Option<Token>, &str)> {
    let inner = &text[text.chars().next()?.len_utf8()..];
    // An apostrophe within the name does not close it.
    let ends = |at: usize| inner[at + closing.len_utf8()..].chars().next().is_none_or(|next| !next.is_alphanumeric());
    let at = inner.match_indices(closing).map(|(at, _)| at).find(|at| ends(*at))?;
    let raw = inner[..at].to_owned();
    let after = inner[at + closing.len_utf8()..].trim_start_matches(SENTENCE);
    let whole = text[..text.len() - after.len()].to_owned();
    Some((Some(Token { fold: fold(&raw), raw, quoted: true, whole }), after))
}

/// Punctuation that belongs to the sentence and not to the word before it.
const SENTENCE: [char; 6] = ['?', '!', ',', ';', ':', '।'];

fn word(text: &str) -> (Option<Token>, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let mut raw = text[..end].trim_end_matches(SENTENCE);
    // A full stop ends the sentence, but `.` and `..` are folders.
    if raw.chars().any(|c| c != '.' && c != '/') {
        raw = raw.trim_end_matches(['.', '?', '!']);
    }
    let whole = text[..end].to_owned();
    let token = (!raw.is_empty()).then(|| Token { raw: raw.to_owned(), fold: fold(raw), quoted: false, whole });
    (token, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Vec<String> {
        tokens(text).unwrap().into_iter().map(|token| token.raw).collect()
    }

    #[test]
    fn words_lose_the_punctuation_of_the_sentence_and_names_keep_theirs() {
        assert_eq!(raw("Hello, what is notes.txt?"), ["Hello", "what", "is", "notes.txt"]);
        assert_eq!(raw("list .. now."), ["list", "..", "now"]);
        assert_eq!(raw("read 'Meena's plan.txt'!"), ["read", "Meena's plan.txt"]);
        assert_eq!(raw("“two words.txt” हटाओ।"), ["two words.txt", "हटाओ"]);
    }

    #[test]
    fn an_open_quote_several_lines_and_a_story_are_no_simple_request() {
        assert_eq!(tokens("delete \"a.txt"), None);
        assert_eq!(tokens("read a.txt\n\ndelete b.txt"), None);
        assert_eq!(tokens(&"word ".repeat(41)), None);
    }

    #[test]
    fn the_same_word_in_two_encodings_is_the_same() {
        assert_eq!(fold("ब\u{921}\u{93c}ी"), fold("ब\u{95c}ी"));
        assert_eq!(fold("ಫೈಲ್\u{200c}ಗಳು ೧೨ १२"), "ಫೈಲ್ಗಳು 12 12");
        assert_eq!(fold("What’s"), "what's");
    }
}
