//! The numbers of payment cards, among the digits of a sentence.

/// Does a run of digits hold the number of a card? What joins the digits is no matter, nor what
/// stands before and behind them, such as a date.
pub(super) fn is_in(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || joins(c);
    text.split(|c: char| !is_part(c)).any(|run| {
        let digits: Vec<u32> = run.chars().filter_map(|c| c.to_digit(10)).collect();
        let whole = (13..=19).contains(&digits.len()) && passes_luhn(&digits);
        whole || (0..digits.len()).any(|at| starts_with_card(&digits[at..]))
    })
}

fn joins(c: char) -> bool {
    let is_dash = matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}');
    c.is_whitespace() || is_dash || matches!(c, '.' | ',' | '/' | '_' | '|' | '·' | '•')
}

/// The lengths that the issuers with this beginning use. One window in ten passes the check of
/// Luhn by chance, so that a part of a longer run must look like a card in this way as well.
fn starts_with_card(digits: &[u32]) -> bool {
    let lengths: &[usize] = match digits {
        [4, ..] => &[13, 16, 19],
        [3, 4 | 7, ..] => &[15],
        [3, 0 | 6 | 8 | 9, ..] => &[14],
        [2, 2..=7, ..] | [3, 5, ..] | [5, ..] | [8, 1 | 2, ..] => &[16],
        [6, ..] => &[16, 19],
        _ => &[],
    };
    lengths.iter().any(|length| digits.get(..*length).is_some_and(passes_luhn))
}

fn passes_luhn(digits: &[u32]) -> bool {
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weighed = digits.iter().rev().enumerate();
    let sum: u32 = weighed.map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit }).sum();
    sum.is_multiple_of(10)
}
