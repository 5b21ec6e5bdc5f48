//! The one SQLite file: migrations, sessions, messages, search, audit, usage.
