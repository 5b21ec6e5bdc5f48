//! The command line by itself: what is typed wrong, and what is asked without a question.

#![allow(clippy::disallowed_methods, reason = "tests start the program")]

use assert_cmd::Command;
use std::process::Output;

fn namma(arguments: &[&str]) -> std::io::Result<Output> {
    let home = tempfile::tempdir()?;
    Command::new(env!("CARGO_BIN_EXE_namma")).env("NAMMA_HOME", home.path()).args(arguments).output()
}

#[test]
fn a_wrong_command_line_is_told_on_standard_error_with_code_2() -> std::io::Result<()> {
    for wrong in [&["ask", "--approve", "perhaps", "hello"][..], &["fly"], &[], &["ask"], &["ask", "  "]] {
        let output = namma(wrong)?;
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert_eq!(output.stdout, b"", "{wrong:?}");
        assert!(!output.stderr.is_empty(), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn help_and_version_are_answers() -> std::io::Result<()> {
    let version = namma(&["--version"])?;
    assert_eq!(version.stdout, format!("namma {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
    let help = String::from_utf8_lossy(&namma(&["--help"])?.stdout).into_owned();
    let commands =
        ["ask", "chat", "sessions", "tools", "model", "connection", "usage", "audit", "config", "doctor", "bench"];
    for command in commands {
        let is_named = help.lines().any(|line| line.split_whitespace().next() == Some(command));
        assert!(is_named, "the help does not name {command}: {help}");
    }
    assert!(help.contains("NAMMA_HOME"), "{help}");
    Ok(())
}
