use super::paths;
use crate::words;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use namma_core::Tool;
use namma_core::gate::{DirEntry, EntryKind, Permitted};
use namma_core::tool::{Effects, Place, ToolFailure, ToolOutput};
use namma_core::trust::Taint;
use namma_protocol::{Effect, StepTitle, UnixMs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::ffi::OsString;

const MAX_ENTRIES: usize = 500;

/// Lists one folder.
pub(crate) struct ListDir;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The folder; the working folder when left out.
    #[serde(default = "here")]
    path: String,
    /// Order: by name, largest first, or newest first.
    #[serde(default)]
    sort: Sort,
    /// Also names that begin with a dot.
    #[serde(default)]
    hidden: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Sort {
    #[default]
    Name,
    Size,
    Modified,
}

fn here() -> String {
    ".".into()
}

impl Tool for ListDir {
    type Input = Input;
    const NAME: &'static str = "list_dir";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Lists a folder: kind, size, time of change and name of each entry. Does not look into subfolders; for that use find_files."
    }

    fn title(&self, input: &Input) -> StepTitle {
        let name = match words::short_name(&input.path) {
            "." => "this folder",
            "~" => "the home folder",
            name => name,
        };
        StepTitle { doing: format!("Listing {name}"), done: format!("Listed {name}") }
    }

    fn effects(&self, input: &Input, place: &Place) -> Result<Effects, ToolFailure> {
        Ok(Effects::of([Effect::ReadFile { path: paths::text(&place.path(&input.path)?)? }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let folder = call.place().path(&call.input().path)?;
        let entries = call.files().list(&folder).await?;
        let shown = call.place().display(&folder);
        let (content, count) = table(entries, call.input(), &TimeZone::system());
        let heading = format!("{} in `{}`", words::counted(count, "entry", "entries"), folder.display());
        let fact = words::counted(count, "entry", "entries");
        if count == 0 {
            return Ok(ToolOutput::ours(format!("{heading}\n{content}")).fact(fact));
        }
        Ok(ToolOutput::outside(Taint::Document, shown, format!("{heading}\n{content}")).fact(fact))
    }
}

/// One line for each entry, and how many there are.
fn table(mut entries: Vec<DirEntry>, input: &Input, zone: &TimeZone) -> (String, usize) {
    let all = entries.len();
    if !input.hidden {
        entries.retain(|entry| !name(entry).as_encoded_bytes().starts_with(b"."));
    }
    entries.sort_by_cached_key(|entry| {
        let first = match input.sort {
            Sort::Name => Reverse(0),
            // Folders have no size of their own.
            Sort::Size if entry.kind == EntryKind::Folder => Reverse(-1),
            Sort::Size => Reverse(i64::try_from(entry.size_bytes).unwrap_or(i64::MAX)),
            Sort::Modified => Reverse(entry.modified.map_or(i64::MIN, |time| time.0)),
        };
        (first, name(entry))
    });
    let mut lines: Vec<String> = entries.iter().take(MAX_ENTRIES).map(|entry| line(entry, zone)).collect();
    if entries.len() > MAX_ENTRIES {
        lines.push(format!("[and {} more]", words::grouped((entries.len() - MAX_ENTRIES) as u64)));
    }
    if all > entries.len() {
        lines.push(format!("[{} not shown, with a dot in front]", words::grouped((all - entries.len()) as u64)));
    }
    (lines.join("\n"), entries.len())
}

fn line(entry: &DirEntry, zone: &TimeZone) -> String {
    let name = words::one_line(&name(entry).to_string_lossy());
    let time = entry.modified.and_then(|time| moment(time, zone)).unwrap_or_else(|| "unknown time".into());
    match entry.kind {
        EntryKind::File => {
            let size = words::size(entry.size_bytes);
            let exact = if entry.size_bytes < 1000 { String::new() } else { format!(" ({} bytes)", entry.size_bytes) };
            format!("file    {time}  {size}{exact}  {name}")
        }
        EntryKind::Folder => format!("folder  {time}  {name}/"),
        EntryKind::Link => format!("link    {time}  {name}"),
        EntryKind::Other => format!("other   {time}  {name}"),
    }
}

fn moment(time: UnixMs, zone: &TimeZone) -> Option<String> {
    let time = Timestamp::from_millisecond(time.0).ok()?.to_zoned(zone.clone());
    Some(time.strftime("%Y-%m-%d %H:%M").to_string())
}

fn name(entry: &DirEntry) -> OsString {
    entry.path.file_name().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, kind: EntryKind, size_bytes: u64, modified: i64) -> DirEntry {
        DirEntry { path: format!("/x/{name}").into(), kind, size_bytes, modified: Some(UnixMs(modified)) }
    }

    fn names(sort: Sort, hidden: bool) -> String {
        let entries = vec![
            entry("b.txt", EntryKind::File, 10, 3000),
            entry("a.txt", EntryKind::File, 2_000_000, 1000),
            entry("dir", EntryKind::Folder, 4096, 2000),
            entry(".env", EntryKind::File, 5, 0),
        ];
        table(entries, &Input { path: ".".into(), sort, hidden }, &TimeZone::UTC).0
    }

    #[test]
    fn entries_are_listed_with_their_facts() {
        let expected = "file    1970-01-01 00:00  2.0 MB (2000000 bytes)  a.txt\n\
                        file    1970-01-01 00:00  10 bytes  b.txt\n\
                        folder  1970-01-01 00:00  dir/\n\
                        [1 not shown, with a dot in front]";
        assert_eq!(names(Sort::Name, false), expected);
    }

    #[test]
    fn entries_are_sorted_as_asked() {
        let order = |text: String| -> Vec<String> {
            text.lines().map(|line| line.rsplit("  ").next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(order(names(Sort::Size, true)), ["a.txt", "b.txt", ".env", "dir/"]);
        assert_eq!(order(names(Sort::Modified, true)), ["b.txt", "dir/", "a.txt", ".env"]);
    }

    #[test]
    fn a_huge_folder_is_cut_with_a_count_and_a_name_stays_on_its_line() {
        let entries = (0..1200).map(|n| entry(&format!("{n:04}\n[fake]"), EntryKind::File, 1, 0)).collect();
        let input = Input { path: ".".into(), sort: Sort::Name, hidden: false };
        let (text, count) = table(entries, &input, &TimeZone::UTC);
        assert_eq!(count, 1200);
        assert_eq!(text.lines().count(), MAX_ENTRIES + 1);
        assert!(text.ends_with("[and 700 more]"));
        assert!(text.contains("0000\\n[fake]"));
    }
}
