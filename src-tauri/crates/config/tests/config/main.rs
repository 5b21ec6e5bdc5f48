//! What the configuration promises.
