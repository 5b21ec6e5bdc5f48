//! The real vault: each test runs itself once more inside a session bus of its own, with a home of
//! its own, and there talks to a real `gnome-keyring-daemon`.

use namma_config::{Keyring, Secret, SecretStore, VaultError, VaultStatus};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const INSIDE: &str = "NAMMA_TEST_INSIDE";

/// Runs the test of that name in a new process, prepared by `prepare`, and fails with it. False
/// when this already is that process.
pub(crate) fn again(test: &str, prepare: impl FnOnce(&mut Command)) -> bool {
    again_under(&[], test, prepare)
}

fn again_under(wrapper: &[&str], test: &str, prepare: impl FnOnce(&mut Command)) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return false;
    }
    let program = std::env::current_exe().unwrap();
    let mut words: Vec<&std::ffi::OsStr> = wrapper.iter().map(std::ffi::OsStr::new).collect();
    words.push(program.as_os_str());
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).args([test, "--exact", "--nocapture"]).env(INSIDE, "1");
    prepare(&mut command);
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("1 passed"), "inside:\n{out}\n{err}");
    true
}

/// Runs the test inside a session bus whose keyring is started by `start`.
fn in_session(test: &str, start: &str) -> bool {
    let home = tempfile::tempdir().unwrap();
    let script = format!("set -e; {start}; exec \"$0\" \"$@\"");
    for program in ["dbus-run-session", "gnome-keyring-daemon"] {
        Command::new(program).arg("--version").output().expect("install dbus and gnome-keyring");
    }
    again_under(&["dbus-run-session", "--", "bash", "-c", &script], test, |command| isolate(command, home.path()))
}

fn isolate(command: &mut Command, home: &Path) {
    let run = home.join("run");
    std::fs::create_dir(&run).unwrap();
    std::fs::set_permissions(&run, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    command.env("HOME", home).env("XDG_RUNTIME_DIR", run);
    for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
}

/// A busy machine may be slow; what is tested is the answer.
fn patient(name: &str) -> Keyring {
    Keyring::with_limit(name, Duration::from_secs(60))
}

const UNLOCKED: &str = "echo -n test | gnome-keyring-daemon --unlock --components=secrets >/dev/null";
const LOCKED: &str = "gnome-keyring-daemon --start --components=secrets >/dev/null";

#[tokio::test]
async fn a_key_is_kept_found_replaced_and_forgotten() {
    if in_session("vault::a_key_is_kept_found_replaced_and_forgotten", UNLOCKED) {
        return;
    }
    let vault = patient("namma-agent:test");
    let find = async |name: &'static str| vault.get(name).await.unwrap().map(|key| key.expose().to_owned());
    assert_eq!(vault.status().await, Ok(VaultStatus::Ready));
    assert_eq!(find("openai").await, None);
    vault.set("openai", Secret::new("sk-first")).await.unwrap();
    vault.set("openai", Secret::new("sk-ಎರಡು")).await.unwrap();
    vault.set("me@example.org:other/entry", Secret::new("x".repeat(4096))).await.unwrap();
    assert_eq!(find("openai").await.as_deref(), Some("sk-ಎರಡು"));
    assert_eq!(find("me@example.org:other/entry").await.map(|key| key.len()), Some(4096));
    let elsewhere = patient("namma-agent");
    assert!(elsewhere.get("openai").await.unwrap().is_none(), "another home has its own entries");
    vault.delete("openai").await.unwrap();
    vault.delete("openai").await.unwrap();
    assert_eq!(find("openai").await, None);
}

#[tokio::test]
async fn a_locked_vault_without_a_prompt_says_so_and_keeps_nothing_in_clear() {
    if in_session("vault::a_locked_vault_without_a_prompt_says_so_and_keeps_nothing_in_clear", LOCKED) {
        return;
    }
    let vault = patient("namma-agent:test");
    assert_eq!(vault.status().await, Ok(VaultStatus::Locked));
    let error = vault.set("openai", Secret::new("sk-must-not-be-kept")).await.unwrap_err();
    assert!(matches!(error, VaultError::Locked { .. } | VaultError::TimedOut { .. }), "{error:?}");
    assert!(error.hint().contains("nlock"), "{}", error.hint());
    let home = std::env::var("HOME").unwrap();
    let found = Command::new("grep").args(["-r", "must-not-be-kept", &home]).status().unwrap();
    assert_eq!(found.code(), Some(1), "the key is in a file");
}

#[tokio::test]
async fn without_a_session_bus_the_vault_is_unavailable() {
    let home = tempfile::tempdir().unwrap();
    let ran = again("vault::without_a_session_bus_the_vault_is_unavailable", |command| {
        isolate(command, home.path());
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    });
    if ran {
        return;
    }
    let vault = patient("namma-agent:test");
    let errors = [
        vault.status().await.unwrap_err(),
        vault.get("openai").await.unwrap_err(),
        vault.set("openai", Secret::new("sk-x")).await.unwrap_err(),
        vault.delete("openai").await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, VaultError::Unavailable { .. }), "{error:?}");
        assert!(error.hint().contains("gnome-keyring"), "{}", error.hint());
    }
}

#[test]
fn a_vault_that_never_answers_does_not_hold_the_program() {
    let home = tempfile::tempdir().unwrap();
    let bus = home.path().join("bus");
    let _listener = UnixListener::bind(&bus).unwrap();
    let ran = again("vault::a_vault_that_never_answers_does_not_hold_the_program", |command| {
        isolate(command, home.path());
        command.env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}", bus.display()));
    });
    if ran {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let vault = Keyring::with_limit("namma-agent:test", Duration::from_millis(300));
        for _ in 0..3 {
            assert_eq!(vault.get("openai").await.unwrap_err(), VaultError::TimedOut { seconds: 0 });
        }
    });
    // Ending the runtime would hang here if it waited for the vault.
    drop(runtime);
}
