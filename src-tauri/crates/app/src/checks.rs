//! The report on the real state of things.

use crate::builder::App;
use namma_config::VaultStatus;
use namma_core::gate::Confinement;
use namma_protocol::{Check, CheckState};
use std::path::Path;

impl App {
    /// Looks at everything the core depends on. Asks the model for one word and takes some
    /// seconds at most.
    pub async fn status_checks(&self) -> Vec<Check> {
        vec![
            self.check_config(),
            self.check_provider().await,
            self.check_connections(),
            self.check_vault().await,
            self.check_sandbox().await,
            self.check_database().await,
            self.check_audit().await,
            self.check_browser(),
        ]
    }

    fn check_config(&self) -> Check {
        let problems = self.inner.config.problems();
        let overlay = self.inner.config.paths().overlay().display().to_string();
        match problems.first() {
            None => check("config", CheckState::Ok, format!("settings in {overlay}"), None),
            Some(problem) => check(
                "config",
                CheckState::Failed,
                problem.to_string(),
                Some("Run `namma config check` for all of it.".into()),
            ),
        }
    }

    async fn check_provider(&self) -> Check {
        match self.provider_test().await {
            Ok(status) => {
                check("provider", CheckState::Ok, format!("{} answers with {}", status.label, status.model), None)
            }
            Err(error) => check("provider", CheckState::Failed, error.message, error.hint),
        }
    }

    /// The connections behind the first one, and those that are left alone for now.
    fn check_connections(&self) -> Check {
        let all = self.connections_list();
        let further = all.len().saturating_sub(1);
        let troubled: Vec<String> = all
            .iter()
            .filter_map(|one| {
                let problem = one.problem.as_ref()?;
                let rests = if one.rests_until.is_some() { ", left alone for now" } else { "" };
                Some(format!("{}: {}{rests}", one.name, problem.message))
            })
            .collect();
        if troubled.is_empty() {
            let fallbacks = all.iter().skip(1).filter(|one| one.fallback).count();
            let detail = format!("{further} further connections, {fallbacks} of them take over when needed");
            return check("connections", CheckState::Ok, detail, None);
        }
        let fix =
            "Test it under Settings, Providers, or with `namma connection test NAME`; a test that works ends the rest."
                .to_owned();
        check("connections", CheckState::Degraded, troubled.join("; "), Some(fix))
    }

    async fn check_vault(&self) -> Check {
        match self.inner.vault.status().await {
            Ok(VaultStatus::Ready) => check("vault", CheckState::Ok, "the vault for keys works".into(), None),
            Ok(VaultStatus::Locked) => check(
                "vault",
                CheckState::Degraded,
                "the vault for keys is locked".into(),
                Some("It will ask to be unlocked when a key is needed.".into()),
            ),
            Err(error) => check("vault", CheckState::Degraded, error.to_string(), Some(error.hint().into())),
        }
    }

    async fn check_sandbox(&self) -> Check {
        let sandbox = self.inner.sandbox.clone();
        let found = tokio::task::spawn_blocking(move || (sandbox.describe(), sandbox.confinement().clone())).await;
        match found {
            Ok((detail, Confinement::Bubblewrap { .. })) => check("sandbox", CheckState::Ok, detail, None),
            Ok((detail, Confinement::Landlock)) => check(
                "sandbox",
                CheckState::Degraded,
                detail,
                Some("Install bubblewrap for a stronger one: `sudo apt install bubblewrap`.".into()),
            ),
            Ok((detail, Confinement::LimitsOnly)) => check(
                "sandbox",
                CheckState::Failed,
                detail,
                Some("Install bubblewrap: `sudo apt install bubblewrap`. Until then read every command before you allow it.".into()),
            ),
            Err(error) => check("sandbox", CheckState::Unknown, error.to_string(), None),
        }
    }

    async fn check_database(&self) -> Check {
        if let Some(recovery) = &self.inner.start.recovery {
            let fix = Some("The damaged file was kept beside it.".into());
            return check("database", CheckState::Degraded, recovery.sentence(), fix);
        }
        let path = self.inner.store.path().display().to_string();
        match self.inner.store.verify().await {
            Ok(problems) if problems.is_empty() => check("database", CheckState::Ok, format!("{path} is sound"), None),
            Ok(problems) => check(
                "database",
                CheckState::Failed,
                format!("{path}: {}", problems.join("; ")),
                Some("Quit and start again: what can be saved will be, and a copy is kept.".into()),
            ),
            Err(error) => {
                let error = error.to_api_error();
                check("database", CheckState::Failed, error.message, error.hint)
            }
        }
    }

    async fn check_audit(&self) -> Check {
        match self.inner.store.audit_verify_chain().await {
            Ok(report) if report.broken_at.is_none() => {
                check("audit", CheckState::Ok, format!("{} rows, the chain is whole", report.rows), None)
            }
            Ok(report) => check(
                "audit",
                CheckState::Failed,
                format!("the chain is broken at row {}", report.broken_at.unwrap_or_default()),
                Some("Somebody or something changed the audit log outside the program.".into()),
            ),
            Err(error) => {
                let error = error.to_api_error();
                check("audit", CheckState::Failed, error.message, error.hint)
            }
        }
    }

    fn check_browser(&self) -> Check {
        const NAMES: [&str; 5] =
            ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
        let path = self.inner.config.environment().get("PATH").unwrap_or_default();
        let found = NAMES.iter().find_map(|name| {
            path.split(':').map(|folder| Path::new(folder).join(name)).find(|program| program.is_file())
        });
        match found {
            Some(program) => check("browser", CheckState::Ok, program.display().to_string(), None),
            None => check(
                "browser",
                CheckState::Degraded,
                "no Chromium or Chrome on the PATH".into(),
                Some("Install one: `sudo apt install chromium`. Nothing needs it yet.".into()),
            ),
        }
    }
}

pub(crate) fn check(name: &str, state: CheckState, detail: String, fix: Option<String>) -> Check {
    Check { name: name.into(), state, detail, fix }
}
