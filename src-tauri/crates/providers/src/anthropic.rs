//! The dialect of `POST /messages` with streaming, as Anthropic speaks it, and llama-server and
//! some gateways after it.

mod request;
mod step;

pub(crate) use request::body;
pub(crate) use step::StepReader;
