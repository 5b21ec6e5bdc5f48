//! The dialect of `POST /models/MODEL:streamGenerateContent`, as Google's Gemini speaks it.

mod request;
mod step;

pub(crate) use request::{body, path};
pub(crate) use step::StepReader;
