//! Names as people write them with wildcards.

use crate::words;
use globset::{GlobBuilder, GlobMatcher};
use namma_core::tool::ToolFailure;
use std::path::Path;

/// Longer patterns are refused.
pub(crate) const MAX_PATTERN_CHARS: usize = 1000;

/// A glob for a name or, when it holds a slash, for a path.
pub(crate) struct NameGlob {
    glob: GlobMatcher,
    on_whole_path: bool,
}

impl NameGlob {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A letter to the model when it is too long or broken.
    pub(crate) fn new(pattern: &str) -> Result<Self, ToolFailure> {
        let bad = |why: &dyn std::fmt::Display| {
            ToolFailure::bad_input(format!("could not read the name pattern `{}`: {why}", words::excerpt(pattern, 80)))
        };
        if pattern.chars().count() > MAX_PATTERN_CHARS {
            return Err(bad(&"it is too long"));
        }
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        // People who write `*.pdf` also mean `A.PDF`; who writes a capital means it.
        let any_case = !pattern.chars().any(char::is_uppercase);
        let glob = GlobBuilder::new(pattern).literal_separator(true).case_insensitive(any_case).build();
        let glob = glob.map_err(|error| bad(&error))?.compile_matcher();
        Ok(Self { glob, on_whole_path: pattern.contains('/') })
    }

    /// Does a path, seen from where the search began, fit?
    pub(crate) fn fits(&self, relative: &Path) -> bool {
        let part = if self.on_whole_path { Some(relative) } else { relative.file_name().map(Path::new) };
        part.is_some_and(|part| self.glob.is_match(part))
    }
}
