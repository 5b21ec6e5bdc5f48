/// How the words of a script are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Between spaces and punctuation.
    Spaced,
    /// Chinese, Japanese and Korean: pairs of characters.
    Paired,
    /// Thai, Lao, Khmer and Burmese: no spaces, marks above and below; the trigram table.
    Unspaced,
}

pub(super) fn script_of(c: char) -> Script {
    match c {
        '\u{0e01}'..='\u{0e3a}'
        | '\u{0e40}'..='\u{0e4e}'
        | '\u{0e80}'..='\u{0ecf}'
        | '\u{0edc}'..='\u{0eff}'
        | '\u{1000}'..='\u{103f}'
        | '\u{1050}'..='\u{109f}'
        | '\u{1780}'..='\u{17d3}'
        | '\u{17dd}'
        | '\u{a9e0}'..='\u{a9ef}'
        | '\u{aa60}'..='\u{aa7f}' => Script::Unspaced,
        '\u{1100}'..='\u{11ff}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Paired,
        _ => Script::Spaced,
    }
}

/// What is taken out before anything else: marks that are not seen.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00ad}'
            | '\u{061c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// The ways to write an apostrophe.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{02bc}' | '\u{02b9}' | '\u{00b4}' | '`' | '\u{ff07}')
}
