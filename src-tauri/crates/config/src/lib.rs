//! Configuration, folders and secrets.
