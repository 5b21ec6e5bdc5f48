//! What would change, for the person who approves.

use namma_protocol::Preview;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Longer searches for the shortest difference give a longer difference instead.
const TIME_LIMIT: Duration = Duration::from_millis(500);

/// A unified difference of one file.
pub(crate) fn preview(shown: String, before: &str, after: &str) -> Preview {
    let changes = TextDiff::configure().timeout(TIME_LIMIT).diff_lines(before, after);
    let diff = changes.unified_diff().context_radius(3).header(&shown, &shown).to_string();
    Preview::Diff { path: shown, diff }
}

/// Added and removed lines.
pub(crate) fn lines_changed(before: &str, after: &str) -> (usize, usize) {
    let changes = TextDiff::configure().timeout(TIME_LIMIT).diff_lines(before, after);
    changes.iter_all_changes().fold((0, 0), |(added, removed), change| match change.tag() {
        ChangeTag::Insert => (added + 1, removed),
        ChangeTag::Delete => (added, removed + 1),
        ChangeTag::Equal => (added, removed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_the_lines_around_it() {
        let before = "a\nb\nc\nd\ne\nf\ng\n";
        let after = "a\nb\nc\nD\ne\nf\ng\n";
        let expected = "--- x.txt\n+++ x.txt\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n";
        assert_eq!(
            preview("x.txt".into(), before, after),
            Preview::Diff { path: "x.txt".into(), diff: expected.into() }
        );
        assert_eq!(lines_changed(before, after), (1, 1));
    }
}
