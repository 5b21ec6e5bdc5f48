//! The search itself, on a blocking thread.

use super::Input;
use crate::files::ignored::Rules;
use crate::files::name_glob::{MAX_PATTERN_CHARS, NameGlob};
use crate::words;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use namma_core::gate::{DirEntry, EntryKind, Reading};
use namma_core::tool::ToolFailure;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAX_PATHS: usize = 500;
const MAX_MATCHES: usize = 200;
const MAX_MATCHES_IN_FILE: usize = 30;
const MAX_REPLY_BYTES: usize = 40 << 10;
const MAX_LINE_CHARS: usize = 300;
const MAX_SEARCHED_BYTES: u64 = 20 << 20;
const MAX_FILES_SEEN: usize = 300_000;
const MAX_DEPTH: usize = 64;
const MAX_CONTEXT: u8 = 5;

/// What to search for, compiled.
pub(super) struct Search {
    root: PathBuf,
    name: Option<NameGlob>,
    text: Option<RegexMatcher>,
    context: usize,
    hidden: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) text: String,
    pub(super) files: usize,
    pub(super) matches: usize,
    /// Files looked at.
    pub(super) seen: usize,
    /// Why there may be more.
    pub(super) notes: Vec<String>,
}

impl Search {
    pub(super) fn new(root: PathBuf, input: &Input) -> Result<Self, ToolFailure> {
        let text = input.text.as_deref().filter(|text| !text.is_empty());
        if input.name.is_none() && text.is_none() {
            return Err(ToolFailure::bad_input("give a name, a text, or both; to see one folder use list_dir"));
        }
        let name = input.name.as_deref().map(NameGlob::new).transpose()?;
        let text = text.map(|text| matcher(text, input)).transpose()?;
        Ok(Self { root, name, text, context: input.context.min(MAX_CONTEXT).into(), hidden: input.hidden })
    }

    pub(super) fn run(&self, reading: &Reading) -> Result<Found, ToolFailure> {
        let mut found = Found::default();
        let metadata = reading.metadata(&self.root)?;
        if metadata.is_some_and(|entry| entry.kind == EntryKind::File) {
            return Err(ToolFailure::bad_input(format!(
                "`{}` is a file; give its folder and its name",
                self.root.display()
            )));
        }
        let mut walk = Walk { search: self, reading, found: &mut found };
        walk.folder(&self.root, None, 0)?;
        Ok(found)
    }
}

/// A linear-time engine with bounded programs: no pattern can make it hang.
fn matcher(text: &str, input: &Input) -> Result<RegexMatcher, ToolFailure> {
    let bad = |why: &dyn std::fmt::Display| {
        ToolFailure::bad_input(format!("could not read the pattern `{}`: {why}", words::excerpt(text, 80)))
    };
    if text.chars().count() > MAX_PATTERN_CHARS {
        return Err(bad(&"it is too long"));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder
        .case_insensitive(input.ignore_case)
        .line_terminator(Some(b'\n'))
        .size_limit(2 << 20)
        .dfa_size_limit(8 << 20);
    builder.fixed_strings(!input.regex).build(text).map_err(|error| bad(&error))
}

struct Walk<'a> {
    search: &'a Search,
    reading: &'a Reading,
    found: &'a mut Found,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, above: Option<&Arc<Rules>>, depth: usize) -> Result<(), ToolFailure> {
        let mut entries = match self.reading.list(folder) {
            Ok(entries) => entries,
            Err(failure) if depth == 0 => return Err(failure),
            Err(_) => {
                self.note("some folders could not be read");
                return Ok(());
            }
        };
        let rules = Rules::of(folder, &entries, above, self.reading);
        if !self.search.hidden {
            entries.retain(|entry| !is_dotted(entry) && !rules.leave_out(entry));
        }
        entries.retain(|entry| !entry.path.ends_with(".git"));
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let (files, folders): (Vec<_>, Vec<_>) = entries
            .into_iter()
            .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Folder))
            .partition(|entry| entry.kind == EntryKind::File);
        for file in files {
            if self.is_full() {
                return Ok(());
            }
            self.file(&file);
        }
        for inner in folders {
            if self.is_full() {
                return Ok(());
            }
            if depth == MAX_DEPTH {
                self.note("some folders are too deep");
                return Ok(());
            }
            self.folder(&inner.path, Some(&rules), depth + 1)?;
        }
        Ok(())
    }

    fn file(&mut self, file: &DirEntry) {
        self.found.seen += 1;
        let relative = file.path.strip_prefix(&self.search.root).unwrap_or(&file.path).to_owned();
        if self.search.name.as_ref().is_some_and(|name| !name.fits(&relative)) {
            return;
        }
        let shown = words::one_line(&relative.to_string_lossy());
        let Some(matcher) = &self.search.text else {
            self.found.files += 1;
            self.found.text.push_str(&format!("{shown}  ({})\n", words::size(file.size_bytes)));
            return;
        };
        if file.size_bytes > MAX_SEARCHED_BYTES {
            self.note("files over 20 MB were not searched");
            return;
        }
        let room = MAX_MATCHES - self.found.matches;
        let mut lines = Lines {
            reading: self.reading,
            text: String::new(),
            matches: 0,
            room: room.min(MAX_MATCHES_IN_FILE),
            is_binary: false,
        };
        let searched = self
            .reading
            .open(&file.path)
            .ok()
            .and_then(|opened| searcher(self.search.context).search_file(matcher, &opened, &mut lines).ok());
        if searched.is_none() {
            self.note("some files could not be read");
        }
        if lines.matches > 0 && !lines.is_binary {
            if lines.room == 0 {
                self.note("a file has more matches than are shown");
            }
            self.found.files += 1;
            self.found.matches += lines.matches;
            self.found.text.push_str(&format!("{shown}\n{}", lines.text));
        }
    }

    fn is_full(&mut self) -> bool {
        let reason = if self.reading.is_over() {
            "the time was over; search a smaller folder"
        } else if self.found.seen >= MAX_FILES_SEEN {
            "there are too many files; search a smaller folder"
        } else if self.search.text.is_none() && self.found.files >= MAX_PATHS {
            "there are more files than are shown"
        } else if self.found.matches >= MAX_MATCHES || self.found.text.len() >= MAX_REPLY_BYTES {
            "there are more matches than are shown; search for something rarer"
        } else {
            return false;
        };
        self.note(reason);
        true
    }

    fn note(&mut self, note: &str) {
        if !self.found.notes.iter().any(|known| known == note) {
            self.found.notes.push(note.into());
        }
    }
}

fn searcher(context: usize) -> Searcher {
    SearcherBuilder::new()
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(8 << 20))
        .build()
}

fn is_dotted(entry: &DirEntry) -> bool {
    entry.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Collects the matching lines of one file.
struct Lines<'a> {
    reading: &'a Reading,
    text: String,
    matches: usize,
    room: usize,
    is_binary: bool,
}

impl Lines<'_> {
    fn push(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) {
        let line = String::from_utf8_lossy(bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        let cut: String = line.chars().take(MAX_LINE_CHARS).collect();
        let rest = if cut.len() < line.len() { "…" } else { "" };
        self.text.push_str(&format!("  {}{mark} {cut}{rest}\n", number.unwrap_or(0)));
    }
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        if self.room == 0 || self.reading.is_over() {
            return Ok(false);
        }
        self.room -= 1;
        self.matches += 1;
        self.push(found.line_number(), ':', found.bytes());
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, Self::Error> {
        self.push(context.line_number(), '-', context.bytes());
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, Self::Error> {
        self.text.push_str("  …\n");
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> Result<bool, Self::Error> {
        self.is_binary = true;
        Ok(false)
    }
}
