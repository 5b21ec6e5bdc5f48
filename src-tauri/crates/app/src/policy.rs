#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests write files of their own"))]

use namma_config::{Approvals, Config, Paths, RuleEffect, Sandbox as Wanted};
use namma_core::gate::policy::{ApprovalMode, Policy, Rule, RuleEffect as Effect};
use namma_core::gate::{Confinement, Sandbox};
use std::path::{Path, PathBuf};

/// The rules in force, from the settings. A rule that cannot be understood becomes one that denies
/// everything it names, so that a typing error never opens a door.
pub(crate) fn policy_of(config: &Config, paths: &Paths, home: &Path, sandbox: &Sandbox) -> Policy {
    let mut rules: Vec<Rule> = config
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
    if config.security.sandbox == Wanted::Required && *sandbox.confinement() == Confinement::LimitsOnly {
        // Matches every command, and nothing but commands.
        rules.extend(Rule::new(Effect::Deny, "*", None, Some("**"), None, home));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use namma_config::{ConfigHandle, Environment};
    use namma_core::gate::policy::Requirement;
    use namma_protocol::Effect as What;

    fn decide(yaml: &str, confinement: Confinement, command: &str) -> Requirement {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::given([("NAMMA_HOME", home.path().display().to_string())]);
        let paths = Paths::find(&environment).unwrap();
        paths.prepare().unwrap();
        std::fs::write(paths.overlay(), yaml).unwrap();
        let config = ConfigHandle::open(paths.clone(), environment).unwrap();
        let sandbox = Sandbox::detect("namma").confined_by(confinement);
        let policy = policy_of(&config.get(), &paths, home.path(), &sandbox);
        policy.decide("run_shell", &[What::RunCommand { command: command.into(), cwd: "/".into() }])
    }

    #[test]
    fn a_required_sandbox_that_is_missing_denies_commands() {
        let yaml = "security: { sandbox: required }";
        assert!(matches!(decide(yaml, Confinement::LimitsOnly, "ls"), Requirement::Deny { .. }));
        assert!(matches!(decide(yaml, Confinement::Landlock, "ls"), Requirement::Ask { .. }));
        assert!(matches!(decide("", Confinement::LimitsOnly, "ls"), Requirement::Ask { .. }));
    }

    #[test]
    fn a_rule_with_a_broken_pattern_denies_its_tool() {
        let yaml = "security: { rules: [{ effect: allow, tool: run_shell, command: \"[a\" }] }";
        assert!(matches!(decide(yaml, Confinement::Landlock, "ls"), Requirement::Deny { .. }));
    }
}
