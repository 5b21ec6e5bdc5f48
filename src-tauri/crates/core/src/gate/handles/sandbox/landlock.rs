//! The middle level: kernel rules that this process puts on itself before it becomes the command.
//!
//! Landlock only knows what is allowed, so secrets are kept back by not allowing the dotted
//! folders of the home folder. It does not cover UDP and UNIX sockets, and inside a writable
//! folder nothing can be protected.

use super::{Network, Plan, folders};
use ::landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use std::path::{Path, PathBuf};

/// The newest rules we know; older kernels apply what they have.
const NEWEST: ABI = ABI::V6;

const SYSTEM: [&str; 17] = [
    "/bin",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/media",
    "/mnt",
    "/nix",
    "/opt",
    "/proc",
    "/run/current-system",
    "/run/systemd/resolve",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var/lib",
];

/// Dotted entries of the home folder that tools live in.
const TOOLS: [&str; 12] = [
    ".cargo/bin",
    ".rustup",
    ".local/bin",
    ".local/lib",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".bun",
    ".deno",
    ".sdkman",
    ".gitconfig",
    ".config/git",
];

const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Does the kernel have rules that keep files safe?
pub(super) fn works() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create)
        .is_ok()
}

/// Puts the rules on this process and all that it starts, for ever.
pub(super) fn confine(plan: &Plan, scratch: &Path) -> Result<(), String> {
    let status = rules(plan, scratch).map_err(|error| format!("could not apply Landlock: {error}"))?;
    if status == RulesetStatus::NotEnforced {
        Err("could not apply Landlock: the kernel has none".into())
    } else {
        Ok(())
    }
}

fn rules(plan: &Plan, scratch: &Path) -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let read = AccessFs::from_read(NEWEST);
    let mut writable = folders::writable(plan);
    writable.push(scratch.to_owned());
    let mut rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(all)?;
    if plan.network == Network::Denied {
        rules = rules.handle_access(AccessNet::BindTcp | AccessNet::ConnectTcp)?;
    }
    let enforced = rules
        .scope(Scope::AbstractUnixSocket | Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(readable(plan), read))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(writable, all))?
        .restrict_self()?;
    Ok(enforced.ruleset)
}

fn readable(plan: &Plan) -> Vec<PathBuf> {
    let hidden = folders::hidden(plan);
    let visible = folders::subfolders(&plan.home).filter(|folder| !folders::is_dotted(folder));
    let tools = TOOLS.iter().map(|name| plan.home.join(name));
    let mut readable: Vec<_> = SYSTEM.iter().map(PathBuf::from).chain(visible).chain(tools).collect();
    if rustix::process::geteuid().is_root() {
        // Landlock keeps an account from looking into its other programs, but not root, who may
        // measure them: their environment would be readable.
        readable.retain(|folder| folder != Path::new("/proc"));
    }
    // Reading a folder is reading all of it: one that holds something hidden is left out.
    readable.retain(|folder| !hidden.iter().any(|path| path.starts_with(folder)));
    if !plan.home.starts_with(&plan.cwd) && !hidden.iter().any(|place| plan.cwd.starts_with(place)) {
        readable.push(plan.cwd.clone());
    }
    readable
}
