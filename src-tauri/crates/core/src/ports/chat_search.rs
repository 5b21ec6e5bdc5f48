use crate::BoxFuture;
use crate::ports::StoreError;
use namma_protocol::SearchHit;

/// Looks for words in the chats of this home.
pub trait ChatSearch: Send + Sync + 'static {
    /// The messages that fit best, at most `limit`.
    fn search<'a>(&'a self, query: &'a str, limit: u32) -> BoxFuture<'a, Result<Vec<SearchHit>, StoreError>>;
}
