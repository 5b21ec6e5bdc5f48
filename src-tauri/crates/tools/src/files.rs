//! Files and folders.

mod delete_path;
mod diff;
mod edit_file;
mod find_files;
mod ignored;
mod list_dir;
mod make_dir;
mod move_path;
mod paths;
mod read_file;
mod replacement;
mod text;
mod write_file;

pub(crate) use delete_path::DeletePath;
pub(crate) use edit_file::EditFile;
pub(crate) use find_files::FindFiles;
pub(crate) use list_dir::ListDir;
pub(crate) use make_dir::MakeDir;
pub(crate) use move_path::MovePath;
pub(crate) use paths::text as path_text;
pub(crate) use read_file::ReadFile;
pub(crate) use text::{Decoded, decode};
pub(crate) use write_file::WriteFile;
