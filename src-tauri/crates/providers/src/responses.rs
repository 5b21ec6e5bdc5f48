//! The dialect of `POST /responses`, OpenAI's own since its models think.
//!
//! Nothing is kept at the vendor (`store` is false), so its thinking comes to us encrypted and goes
//! back within the turn.

mod request;
mod step;

pub(crate) use request::body;
pub(crate) use step::StepReader;
