//! The built-in tools, one file each. [`built_in`] is the list.
//!
//! A tool says what it would do (`effects`), shows it (`preview`) and does it (`run`) through the
//! handles of its permit; nothing here touches the machine in another way. To add one: a file
//! below its toolset, and its lines in the file of the toolset. `docs/EXTENDING.md` walks through it.

mod apps;
mod catalog;
mod chats;
mod files;
mod memory;
mod results;
mod shell;
mod system;
mod web;
mod words;

pub use catalog::built_in;
