use crate::support::{Computer, claims};
use namma_core::trust::Taint;
use namma_protocol::{Preview, ToolOutcome, TurnEvent};
use serde_json::json;
use std::time::{Duration, Instant};

claims! { "run_shell":
    a_command_answers_its_output_and_exit_code,
    the_whole_command_is_shown,
    a_failed_command_is_an_answer_to_learn_from,
    a_command_that_takes_too_long_says_so_with_its_output,
    a_flood_is_cut_and_says_so,
    a_stop_ends_it_and_progress_was_shown,
    a_folder_can_be_given,
    no_key_is_in_its_environment,
    commands_that_wipe_everything_are_denied,
}

async fn a_command_answers_its_output_and_exit_code() {
    let computer = Computer::new().with("a.txt", "one\n");
    let finished = computer.call("run_shell", json!({"command": "cat a.txt; echo done >&2"})).await;
    let ToolOutcome::Succeeded { content } = &finished.outcome else { panic!("{finished:?}") };
    assert!(content.contains("[exit code 0]\none\ndone"), "{content}");
    assert_eq!(finished.fact.as_deref(), Some("exit 0"));
    assert!(finished.taint.contains(Taint::Command));
}

async fn the_whole_command_is_shown() {
    let computer = Computer::new();
    let command = format!("echo {}\necho two", "x".repeat(5000));
    computer.done("run_shell", json!({"command": command})).await;
    assert_eq!(computer.shown(), [Preview::Command { command, cwd: computer.work.display().to_string() }]);
}

async fn a_failed_command_is_an_answer_to_learn_from() {
    let (content, fact) = Computer::new().done("run_shell", json!({"command": "ls missing"})).await;
    assert!(content.contains("[exit code 2]") && content.contains("No such file"), "{content}");
    assert_eq!(fact, "exit 2");
}

async fn a_command_that_takes_too_long_says_so_with_its_output() {
    let started = Instant::now();
    let input = json!({"command": "echo before; sleep 1000", "timeout_seconds": 1});
    let (content, fact) = Computer::new().done("run_shell", input).await;
    assert!(content.contains("[stopped: not done after 1 s") && content.contains("before"), "{content}");
    assert_eq!(fact, "stopped after 1 s");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

async fn a_flood_is_cut_and_says_so() {
    let (content, _) = Computer::new().done("run_shell", json!({"command": "yes | head -c 1000000000"})).await;
    assert!(content.contains("[stopped: it printed more than 10 MB"), "{}", &content[..200]);
    assert!(content.len() < 70 * 1024, "{}", content.len());
}

async fn a_stop_ends_it_and_progress_was_shown() {
    let computer = Computer::new();
    let stop = async {
        computer
            .events
            .wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { text, .. } if text == "started"))
            .await;
        computer.cancel.cancel();
        Instant::now()
    };
    let call = computer.call("run_shell", json!({"command": "echo started; sleep 1000 | cat"}));
    let (finished, stopped) = tokio::join!(call, stop);
    assert_eq!(finished.outcome, ToolOutcome::Interrupted);
    assert!(stopped.elapsed() < Duration::from_millis(700), "{:?}", stopped.elapsed());
}

async fn a_folder_can_be_given() {
    let computer = Computer::new().with("folder/x", "");
    let (content, _) = computer.done("run_shell", json!({"command": "ls", "cwd": "folder"})).await;
    assert!(content.contains("\nx"), "{content}");
    assert!(computer.failure("run_shell", json!({"command": "ls", "cwd": "missing"})).await.contains("no folder"));
}

async fn no_key_is_in_its_environment() {
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some(), "there is something that could leak");
    let (content, _) = Computer::new().done("run_shell", json!({"command": "env; cat /proc/self/environ"})).await;
    assert!(content.contains("HOME=") && !content.contains("CARGO"), "{content}");
}

async fn commands_that_wipe_everything_are_denied() {
    let computer = Computer::new();
    let finished = computer.call("run_shell", json!({"command": "rm -rf /"})).await;
    assert!(matches!(finished.outcome, ToolOutcome::Declined { .. }), "{:?}", finished.outcome);
    for harmless in ["echo 'rm -rf docs'", "grep -r 'rm -rf' . || true"] {
        computer.done("run_shell", json!({"command": harmless})).await;
    }
}
