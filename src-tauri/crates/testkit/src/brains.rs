//! A watch over brains for tests that do not care how they do.

use namma_core::BoxFuture;
use namma_core::ports::ProviderError;
use namma_core::turn::BrainWatch;

/// Remembers nothing.
pub struct NoWatch;

impl BrainWatch for NoWatch {
    fn answered<'a>(&'a self, _: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }

    fn failed<'a>(&'a self, _: &'a str, _: &'a ProviderError) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }
}
