//! What a turn has used and cost.

use crate::ports::{ModelInfo, Spent};
use namma_protocol::Usage;

/// What may still be spent, in billionths of a US dollar; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    pub turn: Option<u64>,
    pub day: Option<u64>,
    pub month: Option<u64>,
}

/// Counts what the steps of one turn use, by model.
#[derive(Debug, Default)]
pub(super) struct Books {
    spent: Vec<Spent>,
}

impl Books {
    pub(super) fn add(&mut self, model: &str, info: &ModelInfo, usage: Usage) {
        let cost = info.price.map(|price| price.of(&usage));
        match self.spent.iter_mut().find(|spent| spent.model == model) {
            Some(spent) => {
                spent.usage = spent.usage.plus(usage);
                spent.cost_nanos = match (spent.cost_nanos, cost) {
                    (None, None) => None,
                    (before, now) => Some(before.unwrap_or(0).saturating_add(now.unwrap_or(0))),
                };
            }
            None => self.spent.push(Spent { model: model.to_owned(), usage, cost_nanos: cost }),
        }
    }

    pub(super) fn spent(&self) -> &[Spent] {
        &self.spent
    }

    pub(super) fn usage(&self) -> Usage {
        self.spent.iter().fold(Usage::default(), |sum, spent| sum.plus(spent.usage))
    }

    /// In billionths of a US dollar; `None` when no step had a price.
    pub(super) fn cost_nanos(&self) -> Option<u64> {
        self.spent.iter().filter_map(|spent| spent.cost_nanos).reduce(u64::saturating_add)
    }

    /// Which limit is reached, in words for the person.
    pub(super) fn over(&self, allowance: &Allowance) -> Option<String> {
        let cost = self.cost_nanos().unwrap_or(0);
        let reached = |limit: Option<u64>| limit.is_some_and(|limit| cost >= limit);
        let (what, setting) = if reached(allowance.turn) {
            ("this turn", "spending.per_turn")
        } else if reached(allowance.day) {
            ("today", "spending.per_day")
        } else if reached(allowance.month) {
            ("this month", "spending.per_month")
        } else {
            return None;
        };
        Some(format!("The limit on spending for {what} is reached (`{setting}`)."))
    }
}

#[cfg(test)]
mod tests {
    use super::{Allowance, Books};
    use crate::ports::{ModelInfo, Price};
    use namma_protocol::Usage;

    fn priced() -> ModelInfo {
        ModelInfo {
            price: Some(Price { input: 1000, cached: 100, cache_write: 0, output: 5000 }),
            ..ModelInfo::default()
        }
    }

    fn usage(input_tokens: u32, output_tokens: u32) -> Usage {
        Usage { input_tokens, output_tokens, ..Usage::default() }
    }

    #[test]
    fn models_are_counted_apart_and_summed() {
        let mut books = Books::default();
        books.add("dear", &priced(), usage(100, 10));
        books.add("free", &ModelInfo::default(), usage(7, 1));
        books.add("dear", &priced(), usage(100, 10));
        assert_eq!(books.spent().len(), 2);
        assert_eq!(books.usage(), usage(207, 21));
        assert_eq!(books.cost_nanos(), Some(2 * (100 * 1000 + 10 * 5000)));
        assert_eq!(books.spent()[1].cost_nanos, None, "no price is not a price of nothing");
    }

    #[test]
    fn the_narrowest_limit_that_is_reached_is_named() {
        let mut books = Books::default();
        assert_eq!(books.over(&Allowance::default()), None);
        let nothing_left = Allowance { day: Some(0), ..Allowance::default() };
        assert!(books.over(&nothing_left).is_some_and(|words| words.contains("spending.per_day")));
        books.add("dear", &priced(), usage(100, 0));
        let roomy = Allowance { turn: Some(100_001), day: Some(200_000), month: None };
        assert_eq!(books.over(&roomy), None);
        let tight = Allowance { turn: Some(100_000), ..roomy };
        assert!(books.over(&tight).is_some_and(|words| words.contains("this turn")));
    }
}
