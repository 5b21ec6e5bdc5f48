//! What a command can see.

use crate::support::{Computer, Level, claims};
use std::net::TcpListener;

claims! {
    the_environment_is_a_short_list: EVERY_LEVEL,
    nothing_open_is_passed_on: EVERY_LEVEL,
    there_is_no_input: EVERY_LEVEL,
    keys_and_our_own_data_cannot_be_read: CONFINED,
    other_programs_cannot_be_looked_into: CONFINED,
    the_loopback_cannot_be_reached: CONFINED,
    a_granted_network_is_there: EVERY_LEVEL,
    other_processes_cannot_be_seen_or_signalled: STRONGEST,
    the_launcher_cannot_be_signalled: CONFINED,
}

async fn the_environment_is_a_short_list(level: Level) {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "there is something that could leak");
    let computer = Computer::new(&level);
    let text = computer.output("env").await;
    let known =
        ["PATH", "HOME", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "TERM", "TMPDIR", "PWD", "OLDPWD", "SHLVL", "_"];
    for line in text.lines() {
        let (name, value) = line.split_once('=').unwrap();
        assert!(known.contains(&name) || name.starts_with("LC_"), "{line}");
        if name == "HOME" {
            assert_eq!(value, computer.home.display().to_string());
        }
    }
    assert!(text.contains("TERM=dumb"), "{text}");
}

async fn nothing_open_is_passed_on(level: Level) {
    let secret = std::fs::File::open("/etc/passwd").unwrap();
    // Unlike what Rust opens, a duplicate made this way stays open in programs that are started.
    let _leak = rustix::io::dup(&secret).unwrap();
    let command = r#"perl -e 'for (3..100) { print "$_ is open\n" if open(my $file, "<&=", $_) }'"#;
    assert_eq!(Computer::new(&level).output(command).await, "");
}

async fn there_is_no_input(level: Level) {
    assert_eq!(Computer::new(&level).output("cat; read x; echo \"<$x>\"").await, "<>\n");
}

async fn keys_and_our_own_data_cannot_be_read(level: Level) {
    let computer = Computer::new(&level)
        .hiding("home/namma-data")
        .with("home/.ssh/id_ed25519", "secret")
        .with("home/.gnupg/key", "secret")
        .with("home/.netrc", "secret")
        .with("home/namma-data/db", "secret")
        .with("home/visible/a", "visible");
    std::os::unix::fs::symlink("../.ssh/id_ed25519", computer.work.join("link")).unwrap();
    let command = "cat ~/.ssh/id_ed25519 ~/.s''sh/* $HOME/.gnupg/key ~/.netrc ~/namma-data/db link; cat ~/visible/a";
    let text = computer.output(command).await;
    assert!(!text.contains("secret"), "{text}");
    assert!(text.ends_with("visible"), "{text}");
}

async fn other_programs_cannot_be_looked_into(level: Level) {
    let app = std::process::id();
    let text = Computer::new(&level)
        .output(&format!("cat /proc/{app}/environ /proc/$PPID/environ; cat /proc/{app}/maps; ls -l /proc/{app}/fd"))
        .await;
    assert!(!text.contains("CARGO_MANIFEST_DIR") && !text.contains("-> "), "{text}");
}

async fn the_loopback_cannot_be_reached(level: Level) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let text = Computer::new(&level).output(&connect(&server)).await;
    assert!(!text.contains("connected"), "{text}");
}

async fn a_granted_network_is_there(level: Level) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let text = Computer::new(&level).with_network().output(&connect(&server)).await;
    assert_eq!(text, "connected\n");
}

fn connect(server: &TcpListener) -> String {
    let port = server.local_addr().unwrap().port();
    format!("bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected'")
}

async fn other_processes_cannot_be_seen_or_signalled(level: Level) {
    let app = std::process::id();
    let text = Computer::new(&level).output(&format!("ls -d /proc/{app}; kill -0 {app} && echo reached")).await;
    assert!(!text.contains("reached") && !text.contains(&format!("/proc/{app}\n")), "{text}");
}

async fn the_launcher_cannot_be_signalled(level: Level) {
    let answer = Computer::new(&level).call("kill -9 $PPID; sleep 0.1; echo alive").run().await;
    // Inside bubblewrap the parent is the first process of its own world, which nothing in it can kill.
    assert!(answer.text.contains("alive") && answer.ending == "Exited(0)", "{answer:?}");
}
