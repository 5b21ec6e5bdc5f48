use crate::tool::ToolFailure;
use std::path::{Component, Path, PathBuf};

/// Folders in one path. People have a dozen; each costs a look and an effect.
const DEEPEST: usize = 256;

/// Where a turn works: the folder that relative paths and commands start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Absolute, symbolic links resolved.
    pub cwd: PathBuf,
    pub home: PathBuf,
}

impl Place {
    /// The absolute path that `text` means, with `~`, `.`, `..` and symbolic links resolved.
    ///
    /// What does not exist yet is resolved as far as it exists. Control characters and direction
    /// marks are refused: what is shown must be what is used.
    ///
    /// # Errors
    /// A letter to the model when the text cannot be a path.
    pub fn path(&self, text: &str) -> Result<PathBuf, ToolFailure> {
        if text.trim().is_empty() {
            return Err(ToolFailure::bad_input("the path is empty")
                .hint("Give a path, absolute or relative to the working folder; \".\" is the folder itself."));
        }
        if let Some(bad) = hidden_in(text) {
            return Err(ToolFailure::bad_input(format!(
                "the path {text:?} contains the invisible character U+{:04X}",
                u32::from(bad)
            )));
        }
        if text.split('/').count() > DEEPEST {
            return Err(ToolFailure::bad_input(format!("the path has more than {DEEPEST} folders"))
                .hint("Work in a folder nearer to the files."));
        }
        let expanded = match text.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) if rest.starts_with('/') => self.home.join(rest.trim_start_matches('/')),
            _ => self.cwd.join(text),
        };
        resolve(&expanded)
            .map_err(|cause| ToolFailure::bad_input(format!("could not resolve the path `{text}`: {cause}")))
    }

    /// The path as a person reads it: relative to the working folder, or with `~`.
    pub fn display(&self, path: &Path) -> String {
        if path == self.cwd {
            return ".".into();
        }
        if let Ok(relative) = path.strip_prefix(&self.cwd) {
            return relative.display().to_string();
        }
        match path.strip_prefix(&self.home) {
            Ok(relative) if relative.as_os_str().is_empty() => "~".into(),
            Ok(relative) => format!("~/{}", relative.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

/// Control characters, direction overrides, separators of lines, zero-width marks, fillers and tags.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{34F}' | '\u{180E}' | '\u{3164}' | '\u{FE0F}' | '\u{FEFF}')
        || matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// The first character that hides something. What makes an emoji of the sign before it does not,
/// and stands in names of files.
pub(crate) fn hidden_in(text: &str) -> Option<char> {
    let before = std::iter::once(None).chain(text.chars().map(Some));
    text.chars().zip(before).find_map(|(c, before)| {
        let makes_emoji = c == '\u{FE0F}' && before.is_some_and(|sign| !sign.is_alphabetic() && !is_invisible(sign));
        (is_invisible(c) && !makes_emoji).then_some(c)
    })
}

/// Resolves links of the longest existing prefix; the rest is taken by name.
fn resolve(path: &Path) -> std::io::Result<PathBuf> {
    let mut resolved = PathBuf::new();
    let mut links = 0;
    let mut rest: Vec<std::ffi::OsString> = components(path);
    rest.reverse();
    while let Some(part) = rest.pop() {
        if part == ".." {
            resolved.pop();
            continue;
        }
        let next = resolved.join(&part);
        match std::fs::symlink_metadata(&next) {
            Ok(meta) if meta.file_type().is_symlink() => {
                links += 1;
                if links > 40 {
                    return Err(std::io::Error::other("too many symbolic links"));
                }
                let target = std::fs::read_link(&next)?;
                if target.is_absolute() {
                    resolved = PathBuf::new();
                }
                let mut parts = components(&target);
                parts.reverse();
                rest.append(&mut parts);
            }
            // What is missing or unreadable is taken by name; the handle opens it without
            // following links, so nothing is gained by guessing wrong here.
            Ok(_) | Err(_) => resolved = next,
        }
    }
    Ok(resolved)
}

fn components(path: &Path) -> Vec<std::ffi::OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::CurDir => None,
            Component::ParentDir => Some("..".into()),
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => {
                Some(component.as_os_str().to_os_string())
            }
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files of their own")]
mod tests {
    use super::*;

    fn place(root: &Path) -> Place {
        let root = root.canonicalize().unwrap();
        std::fs::create_dir_all(root.join("work")).unwrap();
        Place { cwd: root.join("work"), home: root }
    }

    #[test]
    fn a_path_is_resolved_from_the_working_folder_and_home() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        assert_eq!(place.path("a/../b.txt").unwrap(), place.cwd.join("b.txt"));
        assert_eq!(place.path("~/x").unwrap(), place.home.join("x"));
        assert_eq!(place.path(".").unwrap(), place.cwd);
        assert_eq!(place.path("../../../../../../../../etc/passwd").unwrap(), Path::new("/etc/passwd"));
    }

    #[test]
    fn a_link_is_resolved_even_when_the_rest_does_not_exist() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        std::os::unix::fs::symlink("/etc", place.cwd.join("notes")).unwrap();
        assert_eq!(place.path("notes/new.txt").unwrap(), Path::new("/etc/new.txt"));
        assert_eq!(place.path("notes/../x").unwrap(), Path::new("/x"));
    }

    #[test]
    fn a_loop_of_links_is_an_error_and_not_a_hang() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        std::os::unix::fs::symlink("b", place.cwd.join("a")).unwrap();
        std::os::unix::fs::symlink("a", place.cwd.join("b")).unwrap();
        assert!(place.path("a").is_err());
    }

    #[test]
    fn a_path_without_end_is_refused_at_once() {
        let place = place(Path::new("/"));
        assert!(place.path(&"d/".repeat(200)).is_ok());
        assert!(place.path(&"d/".repeat(2_000)).is_err());
    }

    #[test]
    fn invisible_characters_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        for bad in
            ["a\0b", "photo\u{202E}gpj.exe", "a\u{E0041}", "a\nb", "a\u{2028}b", "a\u{AD}b", "a\u{FE0F}b", "", "   "]
        {
            assert!(place.path(bad).is_err(), "{bad:?}");
        }
        assert!(place.path("ನಮ್ಮ\u{200C}ಮನೆ.txt").is_ok(), "joiners belong to Kannada spelling");
        assert!(place.path("\u{2764}\u{FE0F}.txt").is_ok(), "an emoji is seen");
    }

    #[test]
    fn a_path_is_shown_as_people_write_it() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        assert_eq!(place.display(&place.cwd.join("a/b")), "a/b");
        assert_eq!(place.display(&place.home.join("x")), "~/x");
        assert_eq!(place.display(Path::new("/etc/passwd")), "/etc/passwd");
        assert_eq!(place.display(&place.cwd), ".");
    }
}
