//! Stage 4: the rules.
//!
//! Precedence: a built-in denial, then a rule that denies, then one that asks, then one that
//! allows, then the mode's default for each effect. The strictest effect decides for the call.
//! Anything that cannot be understood asks or denies; nothing unknown is allowed.

mod opening;

pub(super) use opening::may_run;

use crate::gate::secrets::{PASSWORD_FILES, SECRET_PLACES, is_secret_name};
use globset::{GlobBuilder, GlobMatcher};
use namma_protocol::Effect;
use std::path::{Path, PathBuf};

/// How much the person wants to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalMode {
    /// Every call asks, reading included; a rule of the person's own that allows one spares it.
    AskAll,
    /// Reading does not ask; changing, running and sending do.
    AskWhenItMatters,
    /// As above, and changes inside the granted folders do not ask.
    Folders,
}

/// What a rule does with the calls it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleEffect {
    Allow,
    Ask,
    Deny,
}

/// One rule of the person: a tool and what it acts on. A part that is absent matches everything;
/// an `allow` must match every effect of the call, `ask` and `deny` any of them.
#[derive(Clone, Debug)]
pub struct Rule {
    pub effect: RuleEffect,
    /// The rule in words, for the audit and for the model.
    pub name: String,
    tool: GlobMatcher,
    path: Option<GlobMatcher>,
    command: Option<GlobMatcher>,
    host: Option<GlobMatcher>,
}

impl Rule {
    /// Compiles a rule. `tool`, `path`, `command` and `host` are globs; `~` in a path is `home`.
    ///
    /// # Errors
    /// When a glob is broken: the caller keeps its last good rules and says so.
    pub fn new(
        effect: RuleEffect,
        tool: &str,
        path: Option<&str>,
        command: Option<&str>,
        host: Option<&str>,
        home: &Path,
    ) -> Result<Self, String> {
        let glob = |text: &str, separator: bool| {
            GlobBuilder::new(text)
                .literal_separator(separator)
                .build()
                .map(|g| g.compile_matcher())
                .map_err(|error| format!("the pattern `{text}` is broken: {error}"))
        };
        let verb = match effect {
            RuleEffect::Allow => "allow",
            RuleEffect::Ask => "ask",
            RuleEffect::Deny => "deny",
        };
        let mut name = format!("{verb} {tool}");
        for (label, part) in [("path", path), ("command", command), ("host", host)] {
            if let Some(part) = part {
                name.push_str(&format!(" {label}={part}"));
            }
        }
        let path = path.map(|text| match text.strip_prefix("~/") {
            Some(rest) => format!("{}/{rest}", home.display()),
            None => text.to_owned(),
        });
        Ok(Self {
            effect,
            name,
            tool: glob(tool, false)?,
            path: path.as_deref().map(|text| glob(text, true)).transpose()?,
            command: command.map(|text| glob(text, false)).transpose()?,
            host: host.map(|text| glob(text, false)).transpose()?,
        })
    }

    fn matches(&self, tool: &str, effect: &Effect) -> bool {
        if !self.tool.is_match(tool) {
            return false;
        }
        let path = |text: &str| self.command.is_none() && self.host.is_none() && glob_is(&self.path, text);
        match effect {
            Effect::ReadFile { path: p } | Effect::WriteFile { path: p } | Effect::DeleteFile { path: p, .. } => {
                path(p)
            }
            Effect::MoveFile { from, to } => path(from) && path(to),
            Effect::RunCommand { command, .. } => {
                // A pattern that allows `git *` must not allow `git status; curl …`.
                let whole = self.effect != RuleEffect::Allow || is_one_plain_command(command);
                self.path.is_none() && self.host.is_none() && whole && glob_is(&self.command, command)
            }
            Effect::Network { host, .. } => self.path.is_none() && self.command.is_none() && glob_is(&self.host, host),
            Effect::OpenFile { path: p } => path(p),
            Effect::OpenAddress { host, .. } => {
                self.path.is_none() && self.command.is_none() && glob_is(&self.host, host)
            }
            Effect::ReadSystem { .. }
            | Effect::Opaque { .. }
            | Effect::OpenApp { .. }
            | Effect::Remember { .. }
            | Effect::Forget { .. } => self.path.is_none() && self.command.is_none() && self.host.is_none(),
        }
    }
}

fn glob_is(glob: &Option<GlobMatcher>, text: &str) -> bool {
    glob.as_ref().is_none_or(|glob| glob.is_match(text))
}

/// The rules in force. A concrete type: no configuration can remove its built-in denials.
#[derive(Clone, Debug)]
pub struct Policy {
    pub mode: ApprovalMode,
    /// Folders inside which changes do not ask, in [`ApprovalMode::Folders`]. Resolved paths.
    pub folders: Vec<PathBuf>,
    pub rules: Vec<Rule>,
    /// Our own data and configuration. Resolved paths.
    pub own_folders: Vec<PathBuf>,
    pub home: PathBuf,
}

/// Below the home folder: what a shell, the desktop or git starts or reads by itself later.
const STARTS_BY_ITSELF: [&str; 34] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    ".xsessionrc",
    ".pam_environment",
    ".gitconfig",
    ".config/git",
    ".config/autostart",
    ".config/systemd",
    ".config/environment.d",
    ".config/fish",
    ".config/plasma-workspace",
    ".config/i3",
    ".config/sway",
    ".config/hypr",
    ".config/openbox",
    ".local/share/systemd",
    ".local/share/dbus-1",
    // What an application's name starts, and which program opens what.
    ".local/share/applications",
    ".local/share/flatpak",
    ".local/share/mime",
    ".config/mimeapps.list",
    ".mailcap",
];

/// What the rules say of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    Allow,
    Ask { reason: String },
    Deny { reason: String },
}

impl Requirement {
    fn rank(&self) -> u8 {
        match self {
            Self::Allow => 0,
            Self::Ask { .. } => 1,
            Self::Deny { .. } => 2,
        }
    }
}

impl Policy {
    /// The strictest answer over all effects; a call without effects is judged by the mode alone.
    pub fn decide(&self, tool: &str, effects: &[Effect]) -> Requirement {
        if let Some(reason) = effects.iter().find_map(|effect| self.floor(effect)) {
            return Requirement::Deny { reason };
        }
        let matching = |wanted: RuleEffect, effect: &Effect| {
            self.rules.iter().find(|rule| rule.effect == wanted && rule.matches(tool, effect))
        };
        if let Some(rule) = effects.iter().find_map(|effect| matching(RuleEffect::Deny, effect)) {
            return Requirement::Deny { reason: format!("your rule \"{}\" forbids it", rule.name) };
        }
        if let Some(rule) = effects.iter().find_map(|effect| matching(RuleEffect::Ask, effect)) {
            return Requirement::Ask { reason: format!("Your rule \"{}\" asks.", rule.name) };
        }
        if self.mode == ApprovalMode::AskAll && effects.is_empty() {
            return Requirement::Ask { reason: "You asked to be asked before everything.".into() };
        }
        effects
            .iter()
            .map(|effect| match matching(RuleEffect::Allow, effect) {
                Some(_) => Requirement::Allow,
                None => self.default_for(effect),
            })
            .max_by_key(Requirement::rank)
            .unwrap_or(Requirement::Allow)
    }

    fn default_for(&self, effect: &Effect) -> Requirement {
        let ask = |reason: &str| Requirement::Ask { reason: reason.into() };
        if self.mode == ApprovalMode::AskAll {
            return ask("You asked to be asked before everything.");
        }
        match effect {
            Effect::ReadFile { .. } | Effect::ReadSystem { .. } => Requirement::Allow,
            // The person's own words in a clean turn; what else there is asks in `provenance`.
            Effect::Remember { .. } => Requirement::Allow,
            Effect::Forget { .. } => ask("It removes what you had remembered."),
            Effect::Network { method, .. } if matches!(method.as_str(), "GET" | "HEAD") => Requirement::Allow,
            Effect::Network { host, .. } => Requirement::Ask { reason: format!("It sends something to {host}.") },
            Effect::WriteFile { path } if self.in_granted_folder(path) => Requirement::Allow,
            Effect::MoveFile { from, to } if self.in_granted_folder(from) && self.in_granted_folder(to) => {
                Requirement::Allow
            }
            Effect::DeleteFile { path, for_ever: false } if self.in_granted_folder(path) => Requirement::Allow,
            Effect::WriteFile { .. } | Effect::MoveFile { .. } => ask("It changes your files."),
            Effect::DeleteFile { for_ever: false, .. } => ask("It removes your files."),
            Effect::DeleteFile { for_ever: true, .. } => ask("It cannot be undone."),
            Effect::RunCommand { .. } => ask("It runs a command on your computer."),
            Effect::OpenFile { path } if may_run(path) => ask("Some programs run a file like this when they open it."),
            Effect::OpenAddress { host, .. } if opening::is_nearby(host) => {
                ask("The address is one of this computer or of its network.")
            }
            Effect::OpenFile { .. } | Effect::OpenAddress { .. } | Effect::OpenApp { .. } => Requirement::Allow,
            Effect::Opaque { source } => {
                Requirement::Ask { reason: format!("What {source} does cannot be known beforehand.") }
            }
        }
    }

    fn in_granted_folder(&self, path: &str) -> bool {
        self.mode == ApprovalMode::Folders && self.folders.iter().any(|folder| Path::new(path).starts_with(folder))
    }

    /// What no mode, rule or approval can allow.
    fn floor(&self, effect: &Effect) -> Option<String> {
        match effect {
            Effect::ReadFile { path } => self.secret_place(Path::new(path)),
            Effect::WriteFile { path } => self.guarded_place(Path::new(path)),
            Effect::DeleteFile { path, .. } => self.guarded_with_all_below(Path::new(path)),
            Effect::MoveFile { from, to } => [from, to].into_iter().find_map(|path| {
                // Moved away, hooks could be written, and then moved back.
                let is_repository = Path::new(path).file_name().is_some_and(|name| name == ".git");
                let hooks = is_repository.then(|| "the programs in it start by themselves".to_owned());
                hooks.or_else(|| self.guarded_with_all_below(Path::new(path)))
            }),
            Effect::RunCommand { command, cwd } => {
                let wipes = wipes_everything(command)
                    .then(|| "this command would erase the whole system or home folder".to_owned());
                wipes.or_else(|| self.secret_place(Path::new(cwd)))
            }
            Effect::OpenFile { path } => self.secret_place(Path::new(path)).or_else(|| opening::runs(path)),
            Effect::OpenAddress { .. } | Effect::OpenApp { .. } => None,
            Effect::Network { .. } | Effect::ReadSystem { .. } | Effect::Opaque { .. } => None,
            Effect::Remember { .. } | Effect::Forget { .. } => None,
        }
    }

    fn guarded_place(&self, path: &Path) -> Option<String> {
        self.secret_place(path).or_else(|| self.persistence_place(path))
    }

    /// The place itself, or a folder that such a place is in: whoever moves the folder away and back
    /// has been there.
    fn guarded_with_all_below(&self, path: &Path) -> Option<String> {
        let in_home = SECRET_PLACES.iter().chain(&STARTS_BY_ITSELF).map(|place| self.home.join(place));
        let mut guarded = in_home.chain(self.own_folders.iter().cloned()).chain([self.home.clone()]);
        self.guarded_place(path).or_else(|| {
            guarded.any(|place| place.starts_with(path)).then(|| "places that are kept from tools are in it".to_owned())
        })
    }

    fn secret_place(&self, path: &Path) -> Option<String> {
        if self.own_folders.iter().any(|folder| path.starts_with(folder)) {
            return Some("the assistant's own data is not reachable by tools".into());
        }
        if let Ok(inside) = path.strip_prefix(&self.home)
            && SECRET_PLACES.iter().any(|place| inside.starts_with(place))
        {
            return Some("this place holds keys or passwords".into());
        }
        let of_a_process = path.starts_with("/proc") && (path.ends_with("environ") || path.ends_with("mem"));
        let of_the_system = PASSWORD_FILES.iter().any(|file| path == Path::new(file));
        (is_secret_name(path) || of_a_process || of_the_system).then(|| "this file holds keys or passwords".into())
    }

    /// Places from which something would start by itself later.
    fn persistence_place(&self, path: &Path) -> Option<String> {
        let text = path.to_string_lossy();
        let in_git = text.contains("/.git/hooks/") || text.ends_with("/.git/config") || text.ends_with("/.git/hooks");
        let in_home = path
            .strip_prefix(&self.home)
            .is_ok_and(|inside| STARTS_BY_ITSELF.iter().any(|place| inside.starts_with(place)));
        let in_system = ["/etc", "/boot", "/usr", "/bin", "/sbin", "/lib", "/var/spool/cron"]
            .iter()
            .any(|place| path.starts_with(place));
        (in_git || in_home || in_system).then(|| "a change there would start by itself or alter the system".to_owned())
    }
}

/// One command without anything that joins, substitutes or redirects.
fn is_one_plain_command(command: &str) -> bool {
    !command.contains(|c| {
        matches!(
            c,
            ';' | '|'
                | '&'
                | '$'
                | '`'
                | '('
                | ')'
                | '<'
                | '>'
                | '\n'
                | '\\'
                | '"'
                | '\''
                | '{'
                | '}'
                | '*'
                | '?'
                | '~'
                | '='
        )
    })
}

/// `rm -rf /` and its like: recursive removal of the root or the home folder, or of a raw disk.
///
/// Only words in command position count: `git commit -m "remove rm -rf from docs"` removes nothing.
fn wipes_everything(command: &str) -> bool {
    let flat = command.replace(['"', '\''], "");
    flat.split([';', '|', '&', '\n', '(', ')']).any(|part| {
        let mut words = part
            .split_whitespace()
            .skip_while(|word| matches!(*word, "sudo" | "doas" | "env" | "nohup" | "command" | "exec"));
        let program = words.next().unwrap_or("");
        let arguments: Vec<&str> = words.collect();
        match program.rsplit('/').next().unwrap_or(program) {
            "rm" => {
                let recursive = arguments.iter().any(|word| {
                    *word == "--recursive"
                        || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']))
                });
                recursive
                    && arguments.iter().any(|word| {
                        matches!(*word, "/" | "/*" | "~" | "~/" | "~/*" | "$HOME" | "$HOME/" | "$HOME/*" | "${HOME}")
                    })
            }
            "dd" => arguments.iter().any(|word| word.starts_with("of=/dev/")),
            name => name.starts_with("mkfs"),
        }
    })
}

#[cfg(test)]
mod tests;
