//! Vendors of models behind the core's Provider port, and the HTTP clients.
