use namma_protocol::Usage;

/// What is known of a model. The default is what is assumed of one that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// Tokens of a whole conversation, the answer included.
    pub context_tokens: Option<u32>,
    /// The most tokens of one answer.
    pub output_tokens: Option<u32>,
    /// It can call tools.
    pub tools: bool,
    /// It can look at images.
    pub images: bool,
    pub thinking: ThinkingControl,
    /// `None`: it costs nothing, or nobody knows what.
    pub price: Option<Price>,
}

impl Default for ModelInfo {
    fn default() -> Self {
        Self {
            context_tokens: None,
            output_tokens: None,
            tools: true,
            images: false,
            thinking: ThinkingControl::default(),
            price: None,
        }
    }
}

/// How a model is told how long to think. Each dialect has its own words for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThinkingControl {
    /// It has none: the prompt asks for it.
    #[default]
    Prompt,
    /// It thinks as it does, and nothing changes that.
    Fixed,
    /// A word: low, medium, high.
    Effort {
        /// The word for as little as possible; `None`: leave the word out.
        off: Option<String>,
    },
    /// A number of tokens.
    Budget {
        /// The smallest number that it takes; 0: thinking can be off.
        least: u32,
    },
    /// On or off.
    Switch,
}

/// What tokens cost, in billionths of a US dollar each: a dollar per million is 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    pub input: u64,
    /// Read from the vendor's cache.
    pub cached: u64,
    /// Written to the vendor's cache.
    pub cache_write: u64,
    /// Thinking included.
    pub output: u64,
}

impl Price {
    /// What that costs, in billionths of a US dollar.
    pub fn of(&self, usage: &Usage) -> u64 {
        // No more can be cached than was sent, whatever a server says.
        let sent = u64::from(usage.input_tokens);
        let cached = u64::from(usage.cached_tokens).min(sent);
        let written = u64::from(usage.cache_write_tokens).min(sent - cached);
        let fresh = sent - cached - written;
        fresh * self.input
            + cached * self.cached
            + written * self.cache_write
            + u64::from(usage.output_tokens) * self.output
    }
}

/// Billionths as millionths of a US dollar, rounded up: what was spent never shows as nothing.
pub fn micros(nanos: u64) -> u32 {
    u32::try_from(nanos.div_ceil(1000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::Price;
    use namma_protocol::Usage;

    #[test]
    fn each_kind_of_token_has_its_price() {
        // $3 and $15 per million, a tenth for what is cached, a quarter more for what is written.
        let price = Price { input: 3000, cached: 300, cache_write: 3750, output: 15_000 };
        let usage = Usage {
            input_tokens: 1_000_000,
            cached_tokens: 600_000,
            cache_write_tokens: 200_000,
            output_tokens: 100_000,
            reasoning_tokens: 50_000,
        };
        // 0.2 M at $3, 0.6 M at $0.30, 0.2 M at $3.75, 0.1 M at $15.
        assert_eq!(price.of(&usage), 600_000_000 + 180_000_000 + 750_000_000 + 1_500_000_000);
        assert_eq!(price.of(&Usage { input_tokens: 1, cached_tokens: 2, ..Usage::default() }), 300);
    }
}
