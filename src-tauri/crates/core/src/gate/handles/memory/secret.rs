//! What must not be remembered: a fact is sent to models and shown in lists.

mod card;
mod password;

use crate::gate::Redactor;
use crate::tool::place::is_invisible;

/// What secret a sentence holds, in words; `None` when it seems to hold none.
pub(super) fn kind_of(sentence: &str, redactor: &Redactor) -> Option<&'static str> {
    let plain = plain(sentence);
    if redactor.mask(sentence).1 > 0 || redactor.mask(&plain).1 > 0 {
        return Some("a key");
    }
    if card::is_in(&plain) {
        return Some("the number of a card");
    }
    password::is_told(&plain).then_some("a password")
}

/// The text with ASCII digits, full-width signs made usual, and without what nobody sees.
fn plain(text: &str) -> String {
    let seen = text.chars().filter(|c| c.is_whitespace() || !is_invisible(*c));
    // Joiners are part of the spelling, and people write the same word with and without them.
    seen.filter(|c| !matches!(c, '\u{200C}' | '\u{200D}')).map(usual).collect()
}

fn usual(c: char) -> char {
    /// Where the digits of a script begin: Arabic, Persian, those of India, mathematical ones.
    const ZEROS: [u32; 17] = [
        0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xFF10, 0x1D7CE, 0x1D7D8, 0x1D7E2,
        0x1D7EC, 0x1D7F6,
    ];
    let code = u32::from(c);
    let digit = ZEROS.iter().find_map(|zero| code.checked_sub(*zero).filter(|digit| *digit < 10));
    let letter = (0xFF01..=0xFF5E).contains(&code).then(|| code - 0xFF01 + 0x21);
    digit.map(|digit| digit + 0x30).or(letter).and_then(char::from_u32).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<&'static str> {
        kind_of(text, &Redactor::default())
    }

    #[test]
    fn keys_are_known_by_their_value_or_their_shape() {
        let redactor = Redactor::default();
        redactor.add("MY_KEY", "tulsi-secret-42");
        for text in [
            "it is tulsi-secret-42",
            "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123",
            "my token is hf_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
            "my token is ｈｆ_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh",
            "clone from https://ravi:marigold@host.example/x",
        ] {
            assert_eq!(kind_of(text, &redactor), Some("a key"), "{text}");
        }
    }

    #[test]
    fn numbers_of_cards_are_known_however_they_are_written() {
        for text in [
            "my card is 4111 1111 1111 1111, valid to 2031",
            "4111 1111 1111 1111 12/31",
            "card 4111 1111 1111 1111 123 12/31",
            "411111111111111112/31",
            "4111.1111.1111.1111",
            "4111\u{a0}1111\u{a0}1111\u{a0}1111",
            "4111–1111–1111–1111",
            "4111\u{AD}1111\u{AD}1111\u{AD}1111",
            "４１１１ １１１１ １１１１ １１１１",
            "४१११ ११११ ११११ ११११",
            "೪೧೧೧ ೧೧೧೧ ೧೧೧೧ ೧೧೧೧",
            "amex 378282246310005",
            "98 5555 5555 5555 4444",
        ] {
            assert_eq!(kind(text), Some("the number of a card"), "{text}");
        }
    }

    #[test]
    fn a_password_that_is_told_is_known() {
        for text in [
            "the wifi password is marigold",
            "my PIN: 4711",
            "password=hunter2",
            "my ATM pin 4711",
            "my ATM pin ೪೭೧೧",
            "the pin code is 4711",
            "my pin number is: 4711",
            "my pin number is 4711",
            "my pin is four seven one one",
            "my password was marigold",
            "my password marigold",
            "our wifi password marigold.",
            "my “password” is marigold",
            "my p\u{AD}ass\u{FE0F}word is marigold",
            "passwd is hunter2",
            "cvc is 123",
            "OTP-123456",
            "remember the password hunter2 for later",
            "वाईफाई का पासवर्ड marigold है",
            "मेरा पिन ४७११ है",
            "ನನ್ನ ಪಾಸ್ವರ್ಡ್ marigold",
            "ನನ್ನ ಪಾಸ್\u{200C}ವರ್ಡ್ marigold",
            "ನನ್ನ ಪಿನ್ 4711",
        ] {
            assert_eq!(kind(text), Some("a password"), "{text}");
        }
    }

    #[test]
    fn ordinary_facts_are_no_secrets() {
        for text in [
            "my sister's birthday is 4 May",
            "Ravi's number is 98450 12345",
            "the password policy at work is strict",
            "my password manager is Bitwarden",
            "my password manager",
            "I forgot my password again",
            "I change my password monthly",
            "my pin board is full",
            "the pin is loose",
            "I pin notes to the fridge",
            "I like password-protected files",
            "the pin code of my street is 560034",
            "मैं अपना पासवर्ड भूल गया",
            "ನಾನು ಪಾಸ್ವರ್ಡ್ ಮರೆತೆ",
            "order 4111 1111 1111 1112 came late",
            "my flat is 12-34-56",
            "the commit is 7d360f5c1aef5464f4f634e7f2030044fc570a1b",
            "the id is 550e8400-e29b-41d4-a716-446655440000",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
    }
}
