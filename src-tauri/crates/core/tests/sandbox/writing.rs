//! Where a command can write.

use crate::support::{Computer, Level, claims};

claims! {
    a_command_writes_in_its_folder: EVERY_LEVEL,
    a_command_writes_nowhere_else: CONFINED,
    the_home_folder_itself_is_read_only_and_its_folders_are_not: CONFINED,
    a_system_folder_is_for_reading: CONFINED,
    what_runs_later_is_protected_inside_the_folder: STRONGEST,
    there_is_a_place_for_temporary_files: EVERY_LEVEL,
    to_work_in_a_hidden_folder_does_not_show_it: CONFINED,
}

async fn a_command_writes_in_its_folder(level: Level) {
    let computer = Computer::new(&level);
    let answer = computer.call("mkdir -p a/b && echo x > a/b/c && mv a/b/c d && cat d").run().await;
    assert_eq!((answer.ending.as_str(), answer.text.as_str()), ("Exited(0)", "x\n"));
    assert_eq!(computer.text("home/work/d").as_deref(), Some("x\n"), "it is there afterwards");
}

async fn a_command_writes_nowhere_else(level: Level) {
    let computer = Computer::new(&level).with("home/.bashrc", "mine").with("other/file", "mine");
    let targets = ["home/new", "home/.bashrc", "home/.profile", "home/beside/new", "other/file", "other/new"];
    std::fs::create_dir(computer.home.join("beside")).unwrap();
    let mut command = String::new();
    for target in targets {
        command.push_str(&format!("echo evil >> {}; ", computer.root.join(target).display()));
    }
    command.push_str("echo evil > /etc/namma-evil; echo evil > /usr/bin/namma-evil; echo evil > /var/tmp/namma-evil; ln -s /etc here; echo evil > here/namma-evil");
    let text = computer.output(&command).await;
    for target in targets {
        let content = computer.text(target);
        assert!(content.as_deref().is_none_or(|content| content == "mine"), "{target}: {content:?}\n{text}");
    }
    for path in ["/etc/namma-evil", "/usr/bin/namma-evil", "/var/tmp/namma-evil"] {
        assert!(!std::path::Path::new(path).exists(), "{path}\n{text}");
    }
}

async fn the_home_folder_itself_is_read_only_and_its_folders_are_not(level: Level) {
    let computer = Computer::new(&level).with("home/.config/autostart/old", "mine").with("home/docs/a", "a");
    let command = "echo x > docs/b && echo written; echo evil > .zshenv; echo evil > .config/autostart/new; echo evil > new; cat docs/a";
    let answer = computer.call(command).within(&computer.home).run().await;
    assert!(answer.text.contains("written") && answer.text.ends_with("a"), "{}", answer.text);
    assert_eq!(computer.text("home/docs/b").as_deref(), Some("x\n"));
    for evil in ["home/.zshenv", "home/.config/autostart/new", "home/new"] {
        assert_eq!(computer.text(evil), None, "{evil}");
    }
}

async fn a_system_folder_is_for_reading(level: Level) {
    let computer = Computer::new(&level);
    let answer = computer
        .call("head -c 1 hostname passwd > /dev/null; echo evil > namma-evil")
        .within("/etc".as_ref())
        .run()
        .await;
    assert!(!std::path::Path::new("/etc/namma-evil").exists(), "{answer:?}");
    assert_ne!(answer.ending, "Exited(0)");
}

async fn what_runs_later_is_protected_inside_the_folder(level: Level) {
    let computer = Computer::new(&level)
        .with("home/work/.git/config", "mine")
        .with("home/work/.git/hooks/pre-commit", "mine")
        .with("home/work/.git/HEAD", "x")
        .with("home/work/inner/.git/hooks/pre-commit", "mine");
    let command = "echo evil >> .git/config; echo evil >> .git/hooks/pre-commit; echo evil > .git/hooks/new; \
                   rm -rf .git/hooks; mv .git/hooks away; echo evil >> inner/.git/hooks/pre-commit; echo y > .git/HEAD";
    let text = computer.output(command).await;
    for kept in ["home/work/.git/config", "home/work/.git/hooks/pre-commit", "home/work/inner/.git/hooks/pre-commit"] {
        assert_eq!(computer.text(kept).as_deref(), Some("mine"), "{kept}\n{text}");
    }
    assert_eq!(computer.text("home/work/.git/hooks/new"), None, "{text}");
    assert_eq!(computer.text("home/work/.git/HEAD").as_deref(), Some("y\n"), "git itself works");
}

async fn there_is_a_place_for_temporary_files(level: Level) {
    let computer = Computer::new(&level);
    let before = temporary_folders();
    let text = computer.output("f=$(mktemp) && echo x > $f && cat $f && echo $TMPDIR").await;
    assert!(text.starts_with("x\n/tmp"), "{text}");
    let left: Vec<_> =
        temporary_folders().into_iter().filter(|name| text.contains(name) && !before.contains(name)).collect();
    assert_eq!(left, Vec::<String>::new(), "it is removed afterwards");
}

fn temporary_folders() -> Vec<String> {
    let entries = std::fs::read_dir("/tmp").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name.starts_with("namma-")).collect()
}

async fn to_work_in_a_hidden_folder_does_not_show_it(level: Level) {
    let computer = Computer::new(&level).hiding("data").with("data/keys", "secret").with("data/logs/a", "secret");
    for folder in ["data", "data/logs"] {
        let command = "cat a keys ../keys; echo b > b";
        let answer = computer.call(command).within(&computer.root.join(folder)).run().await;
        assert!(!answer.text.contains("secret"), "{folder}: {}", answer.text);
        assert_eq!(computer.text(&format!("{folder}/b")), None, "{folder}");
    }
}
