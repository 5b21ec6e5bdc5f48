//! Fakes for the core's ports and loopback servers: a dev-dependency only.
