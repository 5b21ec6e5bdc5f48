//! The web.

mod page;
mod web_fetch;

pub(crate) use web_fetch::WebFetch;
