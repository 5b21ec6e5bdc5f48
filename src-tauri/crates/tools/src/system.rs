//! This computer.

mod system_info;

pub(crate) use system_info::SystemInfo;
