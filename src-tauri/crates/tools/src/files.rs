//! Files and folders.

mod delete_path;
mod diff;
mod edit_file;
mod find_files;
mod ignored;
mod list_dir;
mod make_dir;
mod move_path;
mod name_glob;
mod paths;
mod read_file;
mod replacement;
mod text;
mod write_file;

pub(crate) use paths::text as path_text;
pub(crate) use text::{Decoded, decode};

use namma_core::ToolRegistry;

/// The tools of this set, a line each.
pub(crate) fn tools(registry: ToolRegistry) -> ToolRegistry {
    registry
        .with(read_file::ReadFile)
        .with(list_dir::ListDir)
        .with(find_files::FindFiles)
        .with(write_file::WriteFile)
        .with(edit_file::EditFile)
        .with(move_path::MovePath)
        .with(delete_path::DeletePath)
        .with(make_dir::MakeDir)
}
