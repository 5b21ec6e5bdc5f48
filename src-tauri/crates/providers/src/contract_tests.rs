//! The contract of all dialects, without a socket: one answer, written in every dialect and style,
//! its bytes cut, glued and distorted. The same answer comes out, or a typed error; never a call of
//! an answer that was cut.
//!
//! A new dialect is an arm in `listener.rs` and a wire in the testkit. What needs a connection is in
//! `tests/providers/contract.rs`.

mod arbitrary;
mod costs;
mod cut;
mod distorted;
mod faults;
mod listener;
mod same;
