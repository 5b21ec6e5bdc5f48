use namma_config::{Approvals, Config, Paths, RuleEffect};
use namma_core::gate::policy::{ApprovalMode, Policy, Rule, RuleEffect as Effect};
use std::path::{Path, PathBuf};

/// The rules in force, from the settings. A rule that cannot be understood becomes one that denies
/// everything it names, so that a typing error never opens a door.
pub(crate) fn policy_of(config: &Config, paths: &Paths, home: &Path) -> Policy {
    let rules = config
        .security
        .rules
        .iter()
        .map(|rule| {
            let effect = match rule.effect {
                RuleEffect::Allow => Effect::Allow,
                RuleEffect::Ask => Effect::Ask,
                RuleEffect::Deny => Effect::Deny,
            };
            let (path, command, host) = (rule.path.as_deref(), rule.command.as_deref(), rule.host.as_deref());
            Rule::new(effect, &rule.tool, path, command, host, home).or_else(|error| {
                tracing::warn!(%error, "a rule is broken; its tools are denied until it is mended");
                Rule::new(Effect::Deny, &rule.tool, None, None, None, home)
            })
        })
        .map(|rule| rule.or_else(|_| Rule::new(Effect::Deny, "*", None, None, None, home)))
        .filter_map(Result::ok)
        .collect();
    Policy {
        mode: match config.security.approvals {
            Approvals::AskAll => ApprovalMode::AskAll,
            Approvals::AskWhenItMatters => ApprovalMode::AskWhenItMatters,
            Approvals::Folders => ApprovalMode::Folders,
        },
        folders: config.security.folders.iter().map(|folder| resolved(Path::new(&paths.expand_home(folder)))).collect(),
        rules,
        own_folders: vec![resolved(paths.data_dir()), resolved(paths.config_dir()), resolved(paths.cache_dir())],
        home: resolved(home),
    }
}

/// With links resolved where it exists, so that it compares with the paths of effects.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
