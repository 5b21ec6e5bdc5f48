//! Reads a sum from left to right and reckons while it reads.

use super::Amount;
use rust_decimal::Decimal;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    NotASum,
    DividedByZero,
    TooLarge,
    Rates,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Number(Decimal),
    Currency(&'static str),
    Sign(char),
    Percent,
    Of,
    Open,
    Close,
}

/// A text in pieces, and how far it is read.
pub(super) struct Reader {
    pieces: Vec<Piece>,
    at: usize,
    signs: usize,
    depth: usize,
}

const MAX_DEPTH: usize = 16;

/// Words instead of signs; the longest first.
const WORDS: &[(&str, Piece)] = &[
    ("multiplied by", Piece::Sign('*')),
    ("divided by", Piece::Sign('/')),
    ("per cent", Piece::Percent),
    ("percent", Piece::Percent),
    ("rupees", Piece::Currency("₹")),
    ("dollars", Piece::Currency("$")),
    ("euros", Piece::Currency("€")),
    ("minus", Piece::Sign('-')),
    ("times", Piece::Sign('*')),
    ("plus", Piece::Sign('+')),
    ("usd", Piece::Currency("$")),
    ("inr", Piece::Currency("₹")),
    ("rs.", Piece::Currency("₹")),
    ("rs", Piece::Currency("₹")),
    ("of", Piece::Of),
    ("x", Piece::Sign('*')),
];

impl Reader {
    /// `None` when the text holds anything that no sum holds.
    pub(super) fn new(text: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let (piece, length) = if first.is_ascii_digit() || first == '.' {
                let end = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
                let digits = without_commas(&rest[..end])?;
                (Piece::Number(digits.parse().ok()?), end)
            } else if let Some((word, piece)) = WORDS.iter().find(|(word, _)| starts_with_word(rest, word)) {
                (*piece, word.len())
            } else {
                (sign(first)?, first.len_utf8())
            };
            pieces.push(piece);
            rest = rest[length..].trim_start();
        }
        Some(Self { pieces, at: 0, signs: 0, depth: 0 })
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.pieces.len()
    }

    /// How many signs of reckoning were read.
    pub(super) fn signs(&self) -> usize {
        self.signs
    }

    pub(super) fn sum(&mut self) -> Result<Amount, Trouble> {
        let mut left = self.product()?;
        while let Some(sign) = self.take_sign(&['+', '-']) {
            let right = self.product()?;
            left = add(left, right, sign)?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Amount, Trouble> {
        let mut left = self.power()?;
        loop {
            if self.peek() == Some(Piece::Of) && left.percent {
                self.at += 1;
                self.signs += 1;
                left = multiply(left, self.power()?)?;
            } else if let Some(sign) = self.take_sign(&['*', '/']) {
                let right = self.power()?;
                left = if sign == '*' { multiply(left, right)? } else { divide(left, right)? };
            } else {
                return Ok(left);
            }
        }
    }

    /// From the right: `2^3^2` is 512.
    fn power(&mut self) -> Result<Amount, Trouble> {
        if self.depth == MAX_DEPTH {
            return Err(Trouble::NotASum);
        }
        self.depth += 1;
        let result = if self.peek() == Some(Piece::Sign('-')) {
            // `-2^2` is what `2^2` is, below zero.
            self.at += 1;
            self.power().map(|amount| Amount { number: -amount.number, ..amount })
        } else {
            self.with_percent().and_then(|base| match self.take_sign(&['^']) {
                Some(_) => raise(base, self.power()?),
                None => Ok(base),
            })
        };
        self.depth -= 1;
        result
    }

    /// A number, and the percent sign after it.
    pub(super) fn with_percent(&mut self) -> Result<Amount, Trouble> {
        let amount = self.primary()?;
        if self.peek() == Some(Piece::Percent) && amount.currency.is_none() {
            self.at += 1;
            return Ok(Amount { percent: true, ..amount });
        }
        Ok(amount)
    }

    /// A number with its currency, or a sum in brackets.
    pub(super) fn primary(&mut self) -> Result<Amount, Trouble> {
        match self.next() {
            Some(Piece::Number(number)) => {
                let currency = self.take_currency();
                Ok(Amount { number, percent: false, currency })
            }
            Some(Piece::Currency(currency)) => match self.next() {
                Some(Piece::Number(number)) => Ok(Amount { number, percent: false, currency: Some(currency) }),
                _ => Err(Trouble::NotASum),
            },
            Some(Piece::Sign('-')) if self.depth < MAX_DEPTH => {
                self.depth += 1;
                let amount = self.primary();
                self.depth -= 1;
                amount.map(|amount| Amount { number: -amount.number, ..amount })
            }
            Some(Piece::Open) if self.depth < MAX_DEPTH => {
                self.depth += 1;
                let amount = self.sum();
                self.depth -= 1;
                if self.next() == Some(Piece::Close) { amount } else { amount.and(Err(Trouble::NotASum)) }
            }
            _ => Err(Trouble::NotASum),
        }
    }

    fn take_currency(&mut self) -> Option<&'static str> {
        match self.peek() {
            Some(Piece::Currency(currency)) => {
                self.at += 1;
                Some(currency)
            }
            _ => None,
        }
    }

    fn take_sign(&mut self, wanted: &[char]) -> Option<char> {
        match self.peek() {
            Some(Piece::Sign(sign)) if wanted.contains(&sign) => {
                self.at += 1;
                self.signs += 1;
                Some(sign)
            }
            _ => None,
        }
    }

    fn peek(&self) -> Option<Piece> {
        self.pieces.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Piece> {
        let piece = self.peek();
        self.at += usize::from(piece.is_some());
        piece
    }
}

fn sign(c: char) -> Option<Piece> {
    Some(match c {
        '+' => Piece::Sign('+'),
        '-' | '−' | '–' => Piece::Sign('-'),
        '*' | '×' | '·' => Piece::Sign('*'),
        '/' | '÷' => Piece::Sign('/'),
        '^' => Piece::Sign('^'),
        '%' => Piece::Percent,
        '(' => Piece::Open,
        ')' => Piece::Close,
        '₹' => Piece::Currency("₹"),
        '$' => Piece::Currency("$"),
        '€' => Piece::Currency("€"),
        '£' => Piece::Currency("£"),
        '¥' => Piece::Currency("¥"),
        _ => return None,
    })
}

fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

/// Digits without the commas between their groups, in the Western (1,200,000) or the Indian
/// (12,00,000) way. A comma anywhere else makes it no number.
pub(super) fn without_commas(text: &str) -> Option<String> {
    let text = text.strip_suffix(',').unwrap_or(text);
    let whole = text.split('.').next()?;
    if let Some((first, rest)) = whole.split_once(',') {
        let groups: Vec<&str> = rest.split(',').collect();
        let (last, middle) = groups.split_last()?;
        let sized = |sizes: &[usize]| middle.iter().all(|group| sizes.contains(&group.len()));
        let first_fits = (1..=3).contains(&first.len());
        if last.len() != 3 || !first_fits || !(sized(&[3]) || sized(&[2])) {
            return None;
        }
    }
    let plain = text.replace(',', "");
    let comma_after_point = text.split_once('.').is_some_and(|(_, after)| after.contains(','));
    (!plain.is_empty() && !comma_after_point && plain != "." && plain.matches('.').count() <= 1).then_some(plain)
}

fn fraction(amount: Amount) -> Result<Decimal, Trouble> {
    if !amount.percent {
        return Ok(amount.number);
    }
    amount.number.checked_div(Decimal::ONE_HUNDRED).ok_or(Trouble::TooLarge)
}

fn add(left: Amount, right: Amount, sign: char) -> Result<Amount, Trouble> {
    let mut by = right.number;
    if right.percent && !left.percent {
        by = left.number.checked_mul(fraction(right)?).ok_or(Trouble::TooLarge)?;
    } else if left.percent && !right.percent {
        return Err(Trouble::NotASum);
    }
    let currency = match (left.currency, right.currency) {
        (Some(one), Some(other)) if one != other => return Err(Trouble::Rates),
        (one, other) => one.or(other),
    };
    let number = if sign == '+' { left.number.checked_add(by) } else { left.number.checked_sub(by) };
    Ok(Amount { number: number.ok_or(Trouble::TooLarge)?, percent: left.percent, currency })
}

fn multiply(left: Amount, right: Amount) -> Result<Amount, Trouble> {
    if left.currency.is_some() && right.currency.is_some() {
        return Err(Trouble::NotASum);
    }
    let number = fraction(left)?.checked_mul(fraction(right)?).ok_or(Trouble::TooLarge)?;
    Ok(Amount { number, percent: false, currency: left.currency.or(right.currency) })
}

fn divide(left: Amount, right: Amount) -> Result<Amount, Trouble> {
    let currency = match (left.currency, right.currency) {
        (Some(one), Some(other)) if one == other => None,
        (Some(_), Some(_)) => return Err(Trouble::Rates),
        (None, Some(_)) => return Err(Trouble::NotASum),
        (one, None) => one,
    };
    let by = fraction(right)?;
    if by.is_zero() {
        return Err(Trouble::DividedByZero);
    }
    let number = fraction(left)?.checked_div(by).ok_or(Trouble::TooLarge)?;
    Ok(Amount { number, percent: false, currency })
}

/// Whole powers only: a root is rarely exact.
fn raise(base: Amount, power: Amount) -> Result<Amount, Trouble> {
    let whole = power.number.fract().is_zero() && !power.percent && power.currency.is_none();
    if !whole || base.percent || base.currency.is_some() {
        return Err(Trouble::NotASum);
    }
    let times: i32 = power.number.try_into().map_err(|_| Trouble::TooLarge)?;
    if times.unsigned_abs() > 1000 {
        return Err(Trouble::TooLarge);
    }
    let mut number = Decimal::ONE;
    for _ in 0..times.unsigned_abs() {
        number = number.checked_mul(base.number).ok_or(Trouble::TooLarge)?;
    }
    if times < 0 {
        number = if number.is_zero() {
            return Err(Trouble::DividedByZero);
        } else {
            Decimal::ONE.checked_div(number).ok_or(Trouble::TooLarge)?
        };
    }
    Ok(Amount { number, ..base })
}
