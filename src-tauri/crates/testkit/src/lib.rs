//! Fakes for the core's ports and loopback servers: a dev-dependency only.

pub mod sse_server;
