//! The built-in tools, one file each.
