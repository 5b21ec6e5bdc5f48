//! The models that can answer a turn, in order.

use crate::BoxFuture;
use crate::ports::{ModelInfo, Provider, ProviderError};
use std::collections::VecDeque;
use std::sync::Arc;

/// A model, where it is asked, and what is known of it.
#[derive(Clone)]
pub struct Brain {
    /// The connection's name in the settings.
    pub connection: String,
    pub provider: Arc<dyn Provider>,
    pub model: String,
    pub info: ModelInfo,
}

/// The model that answers, and those that take over when it does not.
#[derive(Clone)]
pub struct Brains {
    pub first: Brain,
    pub rest: VecDeque<Brain>,
    /// Why `first` is not the one the person chose, in sentences.
    pub detour: Option<Vec<String>>,
}

impl Brains {
    /// One, and nobody else.
    pub fn only(brain: Brain) -> Self {
        Self { first: brain, rest: VecDeque::new(), detour: None }
    }
}

/// Told how each brain does, so that one that keeps failing can be left alone for a while.
pub trait BrainWatch: Send + Sync + 'static {
    fn answered<'a>(&'a self, connection: &'a str) -> BoxFuture<'a, ()>;
    fn failed<'a>(&'a self, connection: &'a str, error: &'a ProviderError) -> BoxFuture<'a, ()>;
}

/// What the next brain cannot do that the one before could, in words for the person.
pub(super) fn losses(before: &ModelInfo, after: &ModelInfo, has_images: bool) -> Vec<String> {
    let mut losses = Vec::new();
    if before.tools && !after.tools {
        losses.push("It cannot use tools.".to_owned());
    }
    if has_images && before.images && !after.images {
        losses.push("It cannot see the images of this chat.".to_owned());
    }
    if let (Some(known), Some(window)) = (before.context_tokens, after.context_tokens)
        && window < known
    {
        losses.push(format!("It reads at most {window} tokens at once."));
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::losses;
    use crate::ports::ModelInfo;

    #[test]
    fn what_is_lost_is_said_and_nothing_else() {
        let strong = ModelInfo { context_tokens: Some(200_000), images: true, ..ModelInfo::default() };
        let weak = ModelInfo { context_tokens: Some(8192), tools: false, ..ModelInfo::default() };
        assert_eq!(losses(&strong, &strong, true), Vec::<String>::new());
        assert_eq!(losses(&weak, &strong, true), Vec::<String>::new());
        let lost = losses(&strong, &weak, true);
        assert_eq!(lost.len(), 3, "{lost:?}");
        assert!(lost[2].contains("8192"));
        assert_eq!(losses(&strong, &weak, false).len(), 2, "there are no images to miss");
    }
}
