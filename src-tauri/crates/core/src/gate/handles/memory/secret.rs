//! What must not be remembered: a fact is sent to models and shown in lists.

use crate::gate::Redactor;

/// What secret a sentence holds, in words; `None` when it seems to hold none.
pub(super) fn kind_of(sentence: &str, redactor: &Redactor) -> Option<&'static str> {
    if redactor.mask(sentence).1 > 0 {
        return Some("a key");
    }
    if has_card_number(sentence) {
        return Some("the number of a card");
    }
    tells_password(sentence).then_some("a password")
}

/// Thirteen to nineteen digits in groups that satisfy the check of Luhn.
fn has_card_number(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-');
    text.split(|c: char| !is_part(c)).any(|part| {
        let digits: Vec<u32> = part.chars().filter_map(|c| c.to_digit(10)).collect();
        let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
        let sum: u32 =
            digits.iter().rev().enumerate().map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit }).sum();
        (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
    })
}

/// "the wifi password is marigold", but not "the password policy is strict".
fn tells_password(text: &str) -> bool {
    const WORDS: [&str; 9] = ["password", "passcode", "passphrase", "pin", "cvv", "otp", "पासवर्ड", "पिन", "ಪಾಸ್‌ವರ್ಡ್"];
    const IS: [&str; 4] = ["is", "=", ":", "-"];
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        // `password:` and `password=x` are the word with what makes it tell.
        let (name, tells) = match word.find([':', '=']) {
            Some(end) => (&word[..end], true),
            None => (*word, words.get(at + 1).is_some_and(|next| IS.contains(next))),
        };
        let is_indian = !name.is_ascii();
        WORDS.contains(&name) && (tells || is_indian) && (at + 1 < words.len() || tells)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_shape_and_ordinary_facts_are_not() {
        let redactor = Redactor::default();
        redactor.add("MY_KEY", "tulsi-secret-42");
        for (text, kind) in [
            ("my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123", "a key"),
            ("it is tulsi-secret-42", "a key"),
            ("my card is 4111 1111 1111 1111, valid to 2031", "the number of a card"),
            ("the wifi password is marigold", "a password"),
            ("my PIN: 4711", "a password"),
            ("password=hunter2", "a password"),
            ("वाईफाई का पासवर्ड marigold है", "a password"),
        ] {
            assert_eq!(kind_of(text, &redactor), Some(kind), "{text}");
        }
        for text in [
            "my sister's birthday is 4 May",
            "Ravi's number is 98450 12345",
            "the password policy at work is strict",
            "I pin notes to the fridge",
            "order 4111 1111 1111 1112 came late",
            "my flat is 12-34-56",
        ] {
            assert_eq!(kind_of(text, &redactor), None, "{text}");
        }
    }
}
