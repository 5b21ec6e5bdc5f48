//! With the real `xdg-open`, on a desktop of our own: see `support.rs`.

use crate::support::{A_KEY, Computer, claims};
use namma_protocol::{ApprovalDecision, ApprovalScope, Preview, ToolOutcome};
use namma_testkit::ScriptedApprover;
use serde_json::json;
use std::time::Duration;

claims! {
    "open_target":
    a_file_is_opened_whatever_its_name_holds,
    a_folder_and_an_address_are_opened_without_a_shell,
    an_application_is_started_with_the_command_of_its_entry,
    what_runs_goes_on_in_a_session_of_its_own,
    what_is_opened_sees_none_of_our_keys,
    what_does_not_start_is_said,
    programs_are_never_opened,
    what_the_owner_did_not_name_is_asked_about_once_something_was_read,
    an_address_is_shown_in_the_letters_that_count,
    nothing_else_is_opened_than_was_shown,
}

/// What the program for everything was given, as soon as it was.
async fn opened(computer: &Computer) -> String {
    for _ in 0..500 {
        if let Ok(text) = std::fs::read_to_string(computer.home.join("opened")) {
            return text;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing was opened");
}

fn is_untouched(computer: &Computer) -> bool {
    !computer.home.join("opened").exists()
}

async fn a_file_is_opened_whatever_its_name_holds() {
    for name in ["notes.txt", "it's \"$(touch x)\" & `y`; *.txt", "-rf.txt", "ನಮ್ಮ ಮನೆ.txt", "a:b%u.txt"]
    {
        let computer = Computer::new().with(name, "hello");
        let (said, _) = computer.done("open_target", json!({"target": name})).await;
        assert!(said.starts_with(&format!("opened `{name}` on the person's screen")), "{said}");
        assert_eq!(opened(&computer).await, format!("1\n{}\n", computer.work.join(name).display()));
        assert!(computer.shown().is_empty(), "to look at a file is no change");
    }
}

async fn a_folder_and_an_address_are_opened_without_a_shell() {
    for (target, given) in [
        ("~", None),
        ("example.com", Some("https://example.com/")),
        (
            "https://example.org/a b?c=d&e='f'$(touch x);g#h",
            Some("https://example.org/a%20b?c=d&e=%27f%27$(touch%20x);g#h"),
        ),
        ("mailto:meena@example.org?subject=Hi&body=x%20y", Some("mailto:meena@example.org?subject=Hi&body=x%20y")),
    ] {
        let computer = Computer::new();
        computer.done("open_target", json!({"target": target})).await;
        let given = given.map_or_else(|| computer.home.display().to_string(), ToOwned::to_owned);
        assert_eq!(opened(&computer).await, format!("1\n{given}\n"));
    }
}

async fn an_application_is_started_with_the_command_of_its_entry() {
    for name in ["notebook", "Notebook", "noteb"] {
        let computer = Computer::new();
        let (said, _) = computer.done("open_target", json!({"target": name})).await;
        assert_eq!(said, "opened Notebook on the person's screen: the desktop took it without an error");
        assert_eq!(opened(&computer).await, "2\n--new\ntwo words; $(touch x)\n");
    }
    let computer = Computer::new();
    let failure = computer.failure("open_target", json!({"target": "paint"})).await;
    assert!(failure.contains("Paint One (paint one), Paint Two (paint two)"), "{failure}");
    let failure = computer.failure("open_target", json!({"target": "notebok"})).await;
    assert!(failure.contains("no application called `notebok`") && failure.contains("Notebook"), "{failure}");
    let failure = computer.failure("open_target", json!({"target": "top"})).await;
    assert!(failure.contains("in a terminal only"), "{failure}");
    assert!(is_untouched(&computer));
}

async fn what_runs_goes_on_in_a_session_of_its_own() {
    let computer = Computer::new();
    let (said, _) = computer.done("open_target", json!({"target": "clock"})).await;
    assert_eq!(said, "opened Clock on the person's screen: its program runs");
    let id = std::fs::read_to_string(computer.home.join("clock")).unwrap().trim().to_owned();
    // The state of a process, then its parent, its group and its session.
    let fields = |id: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        let fields = stat.rsplit(')').next().unwrap().split_whitespace().map(ToOwned::to_owned);
        fields.collect::<Vec<String>>()
    };
    let (theirs, ours) = (fields(&id), fields("self"));
    std::process::Command::new("kill").args(["-9", &id]).status().unwrap();
    assert_ne!(theirs[1], std::process::id().to_string(), "it is no child of ours");
    assert_ne!(theirs[3], ours[3], "no signal of our terminal reaches it");
}

async fn what_is_opened_sees_none_of_our_keys() {
    let computer = Computer::new().with("a.txt", "hello\n");
    computer.done("open_target", json!({"target": "a.txt"})).await;
    opened(&computer).await;
    let seen = std::fs::read_to_string(computer.home.join("environment")).unwrap();
    assert!(seen.ends_with(&format!("\n{}\n", computer.home.display())), "it works in the home folder: {seen}");
    assert!(seen.contains("DISPLAY=:99\n") && seen.contains("XDG_DATA_HOME="), "{seen}");
    assert!(!seen.contains(A_KEY) && !seen.contains("NAMMA_TOOLS_TEST") && !seen.contains("CARGO"), "{seen}");
}

async fn what_does_not_start_is_said() {
    let computer = Computer::new().with("film.mp4", "\0\0\0\u{18}ftypmp42");
    for (target, why) in [
        ("broken", "Broken ended at once with code 7"),
        ("vanished", "`/no/such/program` is not installed"),
        ("gone.txt", "there is no file or folder `gone.txt`"),
        ("file:///etc/hosts", "a file is opened by its path"),
        ("javascript:alert(1)", "none of http, https and mailto"),
        ("https://me:secret@example.org", "user name or password"),
        ("mailto:a@b.org?attach=notes.txt", "`attach` is not let into a mail"),
        ("one\ntwo", "invisible character U+000A"),
        ("-x", "no application called `-x`"),
    ] {
        let failure = computer.failure("open_target", json!({"target": target})).await;
        assert!(failure.contains(why), "{target}: {failure}");
    }
    assert!(is_untouched(&computer) && computer.shown().is_empty());
}

async fn programs_are_never_opened() {
    let computer = Computer::new()
        .with("evil.desktop", "[Desktop Entry]\nType=Application\nName=x\nExec=sh -c x\n")
        .with("disguised.txt", "# hello\n[Desktop Entry]\nType=Application\nName=x\nExec=sh -c x\n")
        .with("tool.AppImage", "\u{7f}ELF")
        .with("tool.dat", "\u{7f}ELF")
        .with("setup", "MZ")
        .with("id_rsa", "a key");
    std::os::unix::fs::symlink("evil.desktop", computer.work.join("innocent.txt")).unwrap();
    std::os::unix::fs::symlink("id_rsa", computer.work.join("page.html")).unwrap();
    for target in ["evil.desktop", "tool.AppImage", "innocent.txt", "id_rsa", "page.html"] {
        let outcome = computer.call("open_target", json!({"target": target})).await.outcome;
        assert!(matches!(outcome, ToolOutcome::Declined { .. }), "{target}: {outcome:?}");
    }
    for target in ["disguised.txt", "tool.dat", "setup"] {
        let failure = computer.failure("open_target", json!({"target": target})).await;
        assert!(failure.contains("is a program: to open it would run it"), "{target}: {failure}");
    }
    assert!(is_untouched(&computer) && computer.shown().is_empty());
    let computer = Computer::answering(ScriptedApprover::declines(None)).with("script.sh", "echo hello");
    computer.call("open_target", json!({"target": "script.sh"})).await;
    assert_eq!(
        computer.shown(),
        [Preview::Paths { paths: vec![computer.work.join("script.sh").display().to_string()] }]
    );
    assert!(is_untouched(&computer));
}

async fn what_the_owner_did_not_name_is_asked_about_once_something_was_read() {
    let asked = async |owner: &str, target: &str| {
        let computer =
            Computer::answering(ScriptedApprover::declines(None)).with("a.txt", "hello\n").having_read(owner);
        let outcome = computer.call("open_target", json!({"target": target})).await.outcome;
        let declined = matches!(outcome, ToolOutcome::Declined { .. });
        if !declined {
            opened(&computer).await;
        }
        assert_eq!(is_untouched(&computer), declined, "{target}: {outcome:?}");
        declined
    };
    for (owner, target) in [
        ("summarise the page", "https://example.org/?q=what+was+read"),
        ("open example.org", "https://example.org/?q=what+was+read"),
        ("open example.org", "https://evil.example.org/"),
        ("write to meena@example.org", "mailto:meena@example.org?body=what+was+read"),
        ("open my texts", "a.txt"),
        ("open something", "notebook"),
    ] {
        assert!(asked(owner, target).await, "{owner}: {target}");
    }
    for (owner, target) in [
        ("open example.org", "https://example.org/"),
        ("now open A.TXT", "a.txt"),
        ("write to meena@example.org", "mailto:meena@example.org"),
        ("start the notebook", "notebook"),
    ] {
        assert!(!asked(owner, target).await, "{owner}: {target}");
    }
}

async fn an_address_is_shown_in_the_letters_that_count() {
    for (target, shown) in [
        ("https://раypal.com/login", "https://xn--ypal-43d9g.com/login"),
        ("http://0x7f.1:3000/", "http://127.0.0.1:3000/"),
        ("localhost:8080", "http://localhost:8080/"),
    ] {
        let computer = Computer::answering(ScriptedApprover::declines(None)).having_read("");
        computer.call("open_target", json!({"target": target})).await;
        assert_eq!(computer.shown(), [Preview::Request { method: "Open".into(), url: shown.into() }]);
    }
    let computer = Computer::answering(ScriptedApprover::declines(None));
    computer.call("open_target", json!({"target": "192.168.1.1"})).await;
    assert_eq!(computer.shown().len(), 1, "a device of this network asks without any taint");
}

/// The file becomes another one while the person looks at the question.
async fn nothing_else_is_opened_than_was_shown() {
    let work: std::sync::Arc<std::sync::OnceLock<std::path::PathBuf>> = std::sync::Arc::default();
    let folder = work.clone();
    let approver = ScriptedApprover::acts(move |_| {
        let folder = folder.get().unwrap();
        std::fs::remove_file(folder.join("a.txt")).unwrap();
        std::os::unix::fs::symlink("b.txt", folder.join("a.txt")).unwrap();
        ApprovalDecision::Allow { scope: ApprovalScope::Once }
    });
    let computer = Computer::answering(approver).with("a.txt", "hello\n").with("b.txt", "bye\n").having_read("");
    work.set(computer.work.clone()).unwrap();
    let outcome = computer.call("open_target", json!({"target": "a.txt"})).await.outcome;
    assert!(matches!(outcome, ToolOutcome::Declined { .. }), "{outcome:?}");
    let paths = |name: &str| Preview::Paths { paths: vec![computer.work.join(name).display().to_string()] };
    assert_eq!(computer.shown(), [paths("a.txt"), paths("b.txt")], "what it is now is asked about anew");
    assert!(is_untouched(&computer));
}
