use super::name_glob::NameGlob;
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
use std::path::{Path, PathBuf};
use std::time::Duration;
use walk::{Gathered, gather};

mod walk;

const MAX_ENTRIES: usize = 500;
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Lists one folder.
pub(crate) struct ListDir;

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// The folder; the working folder when left out.
    #[serde(default = "here")]
    path: String,
    /// Order: by name, largest, newest or oldest first.
    #[serde(default)]
    sort: Sort,
    /// Also names that begin with a dot.
    #[serde(default)]
    hidden: bool,
    /// Also what is in subfolders.
    #[serde(default)]
    below: bool,
    /// No folders.
    #[serde(default)]
    files_only: bool,
    /// Glob for the name (`*.pdf`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// How many entries at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Sort {
    #[default]
    Name,
    Size,
    Modified,
    Oldest,
}

fn here() -> String {
    ".".into()
}

impl Tool for ListDir {
    type Input = Input;
    const NAME: &'static str = "list_dir";
    const TOOLSET: &'static str = "files";

    fn description(&self) -> &'static str {
        "Lists a folder: kind, size, time of change and name of each entry. To search by content, use find_files."
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
        // A pattern that cannot be read is the model's to correct, before anybody is asked.
        input.name.as_deref().map(NameGlob::new).transpose()?;
        if input.limit == Some(0) {
            return Err(ToolFailure::bad_input("`limit` starts at 1"));
        }
        Ok(Effects::of([Effect::ReadFile { path: paths::text(&place.path(&input.path)?)? }]))
    }

    async fn run(&self, call: Permitted<'_, Self>) -> Result<ToolOutput, ToolFailure> {
        let folder = call.place().path(&call.input().path)?;
        let name = call.input().name.as_deref().map(NameGlob::new).transpose()?;
        let (root, below, hidden) = (folder.clone(), call.input().below, call.input().hidden);
        let files = call.files().reading();
        let mut gathered = files.work(TIME_LIMIT, move |reading| gather(&root, below, hidden, reading)).await?;
        gathered.entries.retain(|entry| {
            let is_wanted = name.as_ref().is_none_or(|name| name.fits(&relative(entry, &folder)));
            is_wanted && !(call.input().files_only && entry.kind == EntryKind::Folder)
        });
        let shown = call.place().display(&folder);
        let (content, count) = table(gathered, call.input(), &folder, &TimeZone::system());
        let heading = format!("{} in `{}`", words::counted(count, "entry", "entries"), folder.display());
        let fact = words::counted(count, "entry", "entries");
        if count == 0 {
            return Ok(ToolOutput::ours(format!("{heading}\n{content}")).fact(fact));
        }
        Ok(ToolOutput::outside(Taint::Document, shown, format!("{heading}\n{content}")).fact(fact))
    }
}

/// One line for each entry, and how many there are.
fn table(gathered: Gathered, input: &Input, folder: &Path, zone: &TimeZone) -> (String, usize) {
    let Gathered { mut entries, dotted, notes } = gathered;
    entries.sort_by_cached_key(|entry| {
        let first = match input.sort {
            Sort::Name => Reverse(0),
            // Folders have no size of their own.
            Sort::Size if entry.kind == EntryKind::Folder => Reverse(-1),
            Sort::Size => Reverse(i64::try_from(entry.size_bytes).unwrap_or(i64::MAX)),
            Sort::Modified => Reverse(entry.modified.map_or(i64::MIN, |time| time.0)),
            Sort::Oldest => Reverse(entry.modified.map_or(i64::MIN, |time| time.0.saturating_neg())),
        };
        (first, relative(entry, folder))
    });
    let most = input.limit.map_or(MAX_ENTRIES, |limit| (limit as usize).min(MAX_ENTRIES));
    let mut lines: Vec<String> = entries.iter().take(most).map(|entry| line(entry, folder, zone)).collect();
    if entries.len() > most {
        lines.push(format!("[and {} more]", words::grouped((entries.len() - most) as u64)));
    }
    if dotted > 0 {
        lines.push(format!("[{} not shown, with a dot in front]", words::grouped(dotted as u64)));
    }
    lines.extend(notes.iter().map(|note| format!("[{note}]")));
    (lines.join("\n"), entries.len())
}

fn line(entry: &DirEntry, folder: &Path, zone: &TimeZone) -> String {
    let name = words::one_line(&relative(entry, folder).to_string_lossy());
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

/// The path of an entry, seen from the folder that is listed.
fn relative(entry: &DirEntry, folder: &Path) -> PathBuf {
    entry.path.strip_prefix(folder).unwrap_or(&entry.path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, kind: EntryKind, size_bytes: u64, modified: i64) -> DirEntry {
        DirEntry { path: format!("/x/{name}").into(), kind, size_bytes, modified: Some(UnixMs(modified)) }
    }

    fn names(sort: Sort, limit: Option<u32>) -> String {
        let entries = vec![
            entry("b.txt", EntryKind::File, 10, 3000),
            entry("a.txt", EntryKind::File, 2_000_000, 1000),
            entry("dir", EntryKind::Folder, 4096, 2000),
        ];
        listed(entries, sort, limit).0
    }

    fn listed(entries: Vec<DirEntry>, sort: Sort, limit: Option<u32>) -> (String, usize) {
        let input = Input { path: ".".into(), sort, hidden: false, below: false, files_only: false, name: None, limit };
        let gathered = Gathered { entries, dotted: 1, notes: vec!["a note".into()] };
        table(gathered, &input, Path::new("/x"), &TimeZone::UTC)
    }

    #[test]
    fn entries_are_listed_with_their_facts() {
        let expected = "file    1970-01-01 00:00  2.0 MB (2000000 bytes)  a.txt\n\
                        file    1970-01-01 00:00  10 bytes  b.txt\n\
                        folder  1970-01-01 00:00  dir/\n\
                        [1 not shown, with a dot in front]\n\
                        [a note]";
        assert_eq!(names(Sort::Name, None), expected);
    }

    #[test]
    fn entries_are_sorted_as_asked() {
        let order = |text: String| -> Vec<String> {
            let entries = text.lines().filter(|line| !line.starts_with('['));
            entries.map(|line| line.rsplit("  ").next().unwrap_or_default().to_owned()).collect()
        };
        assert_eq!(order(names(Sort::Size, None)), ["a.txt", "b.txt", "dir/"]);
        assert_eq!(order(names(Sort::Modified, None)), ["b.txt", "dir/", "a.txt"]);
        assert_eq!(order(names(Sort::Oldest, None)), ["a.txt", "dir/", "b.txt"]);
        assert_eq!(order(names(Sort::Oldest, Some(1))), ["a.txt"]);
        assert!(names(Sort::Oldest, Some(1)).contains("[and 2 more]"));
    }

    #[test]
    fn a_huge_folder_is_cut_with_a_count_and_a_name_stays_on_its_line() {
        let entries = (0..1200).map(|n| entry(&format!("{n:04}\n[fake]"), EntryKind::File, 1, 0)).collect();
        let (text, count) = listed(entries, Sort::Name, None);
        assert_eq!(count, 1200);
        assert_eq!(text.lines().count(), MAX_ENTRIES + 3);
        assert!(text.contains("[and 700 more]"));
        assert!(text.contains("0000\\n[fake]"));
    }
}
