//! Which applications there are, and which one a name means.

use super::entry::Entry;
use crate::gate::handles::shell::environment;
use crate::tool::ToolFailure;
use namma_protocol::Effect;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Folders in folders of entries.
const DEEPEST: u32 = 3;
/// Entries have some 20 kB, most of it translations.
const MAX_ENTRY_BYTES: u64 = 512 << 10;
const MAX_ENTRIES: usize = 5000;
/// How many names an answer lists.
const SHOWN: usize = 8;

/// An application of the desktop. Read only: whoever starts it needs a permit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The name of its entry: `org.mozilla.firefox`.
    pub id: String,
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
}

impl Application {
    /// The application that a person means by this name.
    ///
    /// # Errors
    /// A letter to the model when there is none or more than one, or it cannot be started from here.
    pub fn named(name: &str, home: &Path) -> Result<Self, ToolFailure> {
        let variables = environment::of_the_desktop(home);
        let found = choose(name, all(&folders(&variables, home), &search_path(&variables)))?;
        if found.entry.in_terminal {
            return Err(ToolFailure::failed(format!("{} runs in a terminal only", found.entry.name))
                .hint(format!("Open a terminal, and start `{}` there by hand.", found.id)));
        }
        Ok(Self { id: found.id, name: found.entry.name, command: found.entry.command })
    }

    /// What starting it is.
    pub fn effect(&self) -> Effect {
        Effect::OpenApp { id: self.id.clone(), name: self.name.clone(), command: self.command.clone() }
    }
}

#[derive(Clone, Debug)]
struct Found {
    id: String,
    entry: Entry,
}

/// Where entries lie, the person's own first.
fn folders(variables: &[(OsString, OsString)], home: &Path) -> Vec<PathBuf> {
    let value = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let own = value("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let system = value("XDG_DATA_DIRS").filter(|dirs| !dirs.is_empty());
    let system = system.unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    let own = own.unwrap_or_else(|| home.join(".local/share"));
    [own].into_iter().chain(std::env::split_paths(&system)).map(|folder| folder.join("applications")).collect()
}

fn search_path(variables: &[(OsString, OsString)]) -> Vec<PathBuf> {
    let path = variables.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone());
    std::env::split_paths(&path.unwrap_or_default()).collect()
}

/// All that the menu would show. An entry in an earlier folder stands for those of the same name.
fn all(folders: &[PathBuf], path: &[PathBuf]) -> Vec<Found> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for folder in folders {
        collect(folder, "", DEEPEST, &mut found, &mut known);
    }
    let exists = |program: &str| {
        if program.contains('/') {
            Path::new(program).exists()
        } else {
            path.iter().any(|dir| dir.join(program).exists())
        }
    };
    found.retain(|one: &Found| !one.entry.is_hidden && one.entry.needs.as_deref().is_none_or(exists));
    found
}

fn collect(folder: &Path, before: &str, depth: u32, found: &mut Vec<Found>, known: &mut HashSet<String>) {
    // A folder that is not there has no applications.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        match name.strip_suffix(".desktop") {
            Some(name) if found.len() < MAX_ENTRIES && known.insert(format!("{before}{name}")) => {
                let entry = read(&path).and_then(|text| Entry::read(&text));
                found.extend(entry.map(|entry| Found { id: format!("{before}{name}"), entry }));
            }
            None if depth > 0 && path.is_dir() => collect(&path, &format!("{before}{name}-"), depth - 1, found, known),
            Some(_) | None => {}
        }
    }
}

/// Only ordinary files: a pipe would wait for ever.
fn read(path: &Path) -> Option<String> {
    path.metadata().ok().filter(|metadata| metadata.is_file())?;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_ENTRY_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The one that the name fits best: whole names, then beginnings, then single words, then kinds.
fn choose(name: &str, all: Vec<Found>) -> Result<Found, ToolFailure> {
    let wanted = name.trim().to_lowercase();
    let wanted = wanted.strip_suffix(".desktop").unwrap_or(&wanted);
    if wanted.is_empty() {
        return Err(ToolFailure::bad_input("the name of the application is empty"));
    }
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == wanted);
    let any = |texts: &[String], fits: &dyn Fn(&str) -> bool| texts.iter().any(|text| fits(&text.to_lowercase()));
    let stages: [&dyn Fn(&Found) -> bool; 6] = [
        &|one| one.id.to_lowercase() == wanted || any(&one.entry.names, &|text| text == wanted),
        &|one| one.id.to_lowercase().rsplit('.').next() == Some(wanted),
        &|one| program_of(one) == wanted,
        &|one| any(&one.entry.names, &|text| text.starts_with(wanted)),
        &|one| any(&one.entry.names, &words),
        &|one| any(&one.entry.kinds, &|text| text == wanted || words(text)),
    ];
    for fits in stages {
        let mut fitting: Vec<&Found> = all.iter().filter(|one| fits(one)).collect();
        match &fitting[..] {
            [] => {}
            [one] => return Ok((*one).clone()),
            _ => {
                fitting.truncate(SHOWN);
                let list: Vec<String> = fitting.iter().map(|one| format!("{} ({})", one.entry.name, one.id)).collect();
                return Err(ToolFailure::bad_input(format!(
                    "`{name}` may mean several applications: {}",
                    list.join(", ")
                ))
                .hint("Give the name in brackets."));
            }
        }
    }
    Err(none(name, wanted, &all))
}

fn program_of(one: &Found) -> String {
    let program = one.entry.command.first().map(String::as_str).unwrap_or_default();
    program.rsplit('/').next().unwrap_or(program).to_lowercase()
}

fn none(name: &str, wanted: &str, all: &[Found]) -> ToolFailure {
    const NEAR: f64 = 0.8;
    let nearness = |one: &Found| {
        let names = one.entry.names.iter().map(String::as_str).chain([one.id.as_str()]);
        names.map(|text| strsim::jaro_winkler(&text.to_lowercase(), wanted)).fold(0.0, f64::max)
    };
    let mut near: Vec<(f64, &str)> =
        all.iter().map(|one| (nearness(one), one.entry.name.as_str())).filter(|(near, _)| *near >= NEAR).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let names: Vec<&str> = near.iter().take(3).map(|(_, name)| *name).collect();
    let failure = ToolFailure::bad_input(format!("there is no file and no application called `{name}` here"));
    if names.is_empty() {
        return failure.hint("Give its name as the menu of the desktop has it, or a path, or a whole address.");
    }
    failure.hint(format!("The nearest applications are called {}.", names.join(", ")))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests lay out entries of their own")]
mod tests {
    use super::*;

    fn entry(folder: &Path, id: &str, lines: &str) {
        let path = folder.join(id);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("[Desktop Entry]\nType=Application\n{lines}\n")).unwrap();
    }

    fn menu() -> (tempfile::TempDir, Vec<Found>) {
        let dir = tempfile::tempdir().unwrap();
        let (own, system) = (dir.path().join("own"), dir.path().join("system"));
        entry(&own, "firefox.desktop", "Name=My Firefox\nExec=my-firefox %u");
        entry(&system, "firefox.desktop", "Name=Firefox\nExec=firefox %u");
        entry(&system, "firefox-private.desktop", "Name=Private Browsing\nGenericName=Web Browser\nExec=firefox -p %u");
        entry(&system, "org.gnome.Calculator.desktop", "Name=Calculator\nName[kn]=ಗಣಕ\nExec=/usr/bin/gnome-calculator");
        entry(&system, "libreoffice-writer.desktop", "Name=LibreOffice Writer\nExec=libreoffice --writer %U");
        entry(&system, "libreoffice-calc.desktop", "Name=LibreOffice Calc\nExec=libreoffice --calc %U");
        entry(&system, "kde/okular.desktop", "Name=Okular\nExec=okular");
        entry(&system, "hidden.desktop", "Name=Hidden\nExec=hidden\nNoDisplay=true");
        entry(&system, "gone.desktop", "Name=Gone\nExec=gone\nTryExec=no-such-program");
        let found = all(&[own, system, dir.path().join("none")], &[PathBuf::from("/usr/bin")]);
        (dir, found)
    }

    #[test]
    fn a_name_means_the_application_that_it_fits_best() {
        let (_dir, menu) = menu();
        for (name, id) in [
            ("firefox", "firefox"),
            ("My Firefox", "firefox"),
            ("calculator", "org.gnome.Calculator"),
            ("ಗಣಕ", "org.gnome.Calculator"),
            ("gnome-calculator", "org.gnome.Calculator"),
            ("libreoffice w", "libreoffice-writer"),
            ("Writer", "libreoffice-writer"),
            ("web browser", "firefox-private"),
            ("browser", "firefox-private"),
            ("okular", "kde-okular"),
            ("kde-okular.desktop", "kde-okular"),
        ] {
            assert_eq!(choose(name, menu.clone()).unwrap().id, id, "{name}");
        }
        assert_eq!(choose("firefox", menu).unwrap().entry.command, ["my-firefox"], "the person's own entry counts");
    }

    #[test]
    fn several_are_listed_and_none_says_what_is_near() {
        let (_dir, menu) = menu();
        let letter = choose("libreoffice", menu.clone()).unwrap_err();
        assert!(letter.message.contains("LibreOffice Calc (libreoffice-calc), LibreOffice Writer"), "{letter:?}");
        let letter = choose("calculater", menu.clone()).unwrap_err();
        assert_eq!(letter.hint.as_deref(), Some("The nearest applications are called Calculator."));
        for name in ["hidden", "gone", "-p", "", "../firefox", "lib"] {
            assert!(choose(name, menu.clone()).is_err(), "{name}");
        }
    }
}
