//! Sentences that tell a password, a PIN or a code.

/// Names of what may be any text.
const PASSWORDS: [&str; 11] = [
    "password",
    "passwords",
    "passcode",
    "passphrase",
    "passwd",
    "pwd",
    "पासवर्ड",
    "पासवर्ड्",
    "ಪಾಸ್ವರ್ಡ್",
    "ಪಾಸವರ್ಡ್",
    "ಪಾಸ್ವರ್ಡ",
];

/// Names of what consists of digits.
const PINS: [&str; 9] = ["pin", "mpin", "tpin", "cvv", "cvc", "otp", "पिन", "ओटीपी", "ಪಿನ್"];

const IS: [&str; 7] = ["is", "was", "are", "equals", "=", ":", "-"];

/// What may follow a password's name that is no password: "my password again".
const HARMLESS: [&str; 20] = [
    "again",
    "manager",
    "policy",
    "list",
    "book",
    "reset",
    "hint",
    "field",
    "generator",
    "vault",
    "today",
    "yesterday",
    "often",
    "monthly",
    "weekly",
    "yearly",
    "first",
    "soon",
    "too",
    "yet",
];

/// How the words begin that follow a password's name in Hindi and Kannada: forgot, change, what.
const HARMLESS_INDIAN: [&str; 8] = ["भूल", "बदल", "क्या", "याद", "ಮರೆ", "ಬದಲ", "ಏನು", "ನೆನಪ"];

/// "the wifi password is marigold", but not "the password policy is strict".
pub(super) fn is_told(text: &str) -> bool {
    let text = spaced(&text.to_lowercase());
    let words: Vec<&str> = text.split_whitespace().collect();
    (0..words.len()).any(|at| {
        let (before, after) = (&words[..at], &words[at + 1..]);
        if PINS.contains(&words[at]) {
            tells_pin(after)
        } else {
            PASSWORDS.contains(&words[at]) && tells_password(before, words[at], after)
        }
    })
}

/// The words without quotation marks, with a space around what stands for "is".
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '=' | ':' | '-' => out.extend([' ', c, ' ']),
            '\u{2010}'..='\u{2015}' | '→' => out.push_str(" - "),
            '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '(' | ')' | '[' | ']' | '*' | ',' | ';'
            | '.' | '!' | '?' | '।' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// A name, perhaps "number" or "code", perhaps "is", and then digits, or digits in words.
fn tells_pin(after: &[&str]) -> bool {
    let is_code = after.first() == Some(&"code");
    let named = if is_code || matches!(after.first(), Some(&"number" | &"no")) { &after[1..] } else { after };
    let said = named.iter().position(|word| !IS.contains(word));
    let Some((value, is_said)) = said.map(|at| (named[at], at > 0)) else { return false };
    let digits = value.chars().filter(char::is_ascii_digit).count();
    // Six digits of a "pin code" are a place in India.
    let is_place = is_code && digits == 6 && value.len() == 6;
    let is_spelt = is_said
        && ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"].contains(&value)
        && named.len() > 3;
    (digits >= 3 && !is_place) || is_spelt
}

fn tells_password(before: &[&str], name: &str, after: &[&str]) -> bool {
    match after {
        [] => false,
        // "password-protected" is a word, and "password-123" a password.
        ["-", value, ..] if *value != "-" => has_digit(value) || !matches!(*value, "protected" | "less" | "free"),
        [is, _, ..] if IS.contains(is) => true,
        [value, ..] if has_digit(value) && value.chars().count() > 3 => true,
        [value, ..] if !name.is_ascii() => !HARMLESS_INDIAN.iter().any(|start| value.starts_with(start)),
        // "my wifi password marigold" and no more: a sentence with a verb begins otherwise.
        [value] => {
            let is_named = matches!(before.first(), Some(&("my" | "our" | "the" | "his" | "her" | "their")) | None);
            is_named && before.len() < 4 && !HARMLESS.contains(value)
        }
        _ => false,
    }
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}
