//! Paths of arguments, and what must exist before them.

use namma_core::gate::Files;
use namma_core::tool::{Place, ToolFailure};
use namma_protocol::Effect;
use std::path::{Path, PathBuf};

/// A path as an effect carries it.
pub(crate) fn text(path: &Path) -> Result<String, ToolFailure> {
    path.to_str().map(Into::into).ok_or_else(|| {
        ToolFailure::failed(format!("the path `{}` is not valid Unicode and cannot be used here", path.display()))
            .hint("Use run_shell for this one.")
    })
}

/// The entry that `given` names: links in its folders are resolved, but a link at the end stays
/// itself. Moving or deleting a link must not move or delete what it points to.
pub(crate) fn entry(place: &Place, given: &str) -> Result<PathBuf, ToolFailure> {
    let resolved = place.path(given)?;
    let path = Path::new(given);
    match (path.parent(), path.file_name().and_then(|name| name.to_str())) {
        (_, Some("~")) | (_, None) | (None, _) => Ok(resolved),
        (Some(parent), Some(name)) => {
            let parent = match parent.to_str() {
                None | Some("") => place.cwd.clone(),
                Some(parent) => place.path(parent)?,
            };
            Ok(parent.join(name))
        }
    }
}

/// The folders above `path` that do not exist yet, outermost first.
pub(crate) fn missing_above(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<_> =
        path.ancestors().skip(1).take_while(|folder| folder.symlink_metadata().is_err()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// One write for each folder.
pub(crate) fn writes(folders: &[PathBuf]) -> Result<Vec<Effect>, ToolFailure> {
    folders.iter().map(|folder| Ok(Effect::WriteFile { path: text(folder)? })).collect()
}

/// Creates the folders, as declared.
pub(crate) async fn create(files: &Files<'_>, folders: &[PathBuf]) -> Result<(), ToolFailure> {
    for folder in folders {
        files.create_dir(folder).await?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out the files they need")]
mod tests {
    use super::*;

    #[test]
    fn a_link_at_the_end_stays_a_link_and_links_before_it_are_resolved() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("real/deep")).unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        let place = Place { cwd: root.clone(), home: root.clone() };
        for (given, expected) in [
            ("link", "link"),
            ("./link", "link"),
            ("link/", "link"),
            ("link/deep", "real/deep"),
            ("link/new", "real/new"),
            ("~/link", "link"),
            ("real/../link", "link"),
        ] {
            assert_eq!(entry(&place, given).unwrap(), root.join(expected), "{given}");
        }
        assert_eq!(entry(&place, "~").unwrap(), root);
        assert_eq!(entry(&place, "link/..").unwrap(), root);
        assert_eq!(entry(&place, "/").unwrap(), Path::new("/"));
        assert!(entry(&place, "a\u{202E}b").is_err());
    }

    proptest::proptest! {
        #[test]
        fn an_entry_is_always_absolute_and_without_dots(given in "[a-z~./ -]{0,24}") {
            let place = Place { cwd: "/nonexistent/work".into(), home: "/nonexistent".into() };
            if let Ok(path) = entry(&place, &given) {
                proptest::prop_assert!(path.is_absolute());
                proptest::prop_assert!(!path.components().any(|c| matches!(c, std::path::Component::ParentDir | std::path::Component::CurDir)), "{path:?}");
            }
        }
    }
}
