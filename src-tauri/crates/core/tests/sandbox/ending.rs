//! How a command ends, and that nothing stays behind.

use crate::support::{Computer, Level, Task, alive, claims, gone, mark};
use namma_protocol::TurnEvent;
use std::time::{Duration, Instant};

claims! {
    the_exit_code_is_told: EVERY_LEVEL,
    a_command_that_takes_too_long_is_stopped: EVERY_LEVEL,
    nothing_stays_behind_when_time_is_over: EVERY_LEVEL,
    nothing_stays_behind_a_command_that_ended: EVERY_LEVEL,
    a_flood_is_cut_and_stopped: EVERY_LEVEL,
    a_stop_ends_a_pipe_at_once: EVERY_LEVEL,
    a_stop_is_polite_first: EVERY_LEVEL,
    who_ignores_the_polite_stop_is_ended: EVERY_LEVEL,
    a_call_that_is_dropped_ends_its_command: EVERY_LEVEL,
    an_app_that_is_killed_takes_its_commands_along: EVERY_LEVEL,
    output_that_is_not_text_is_kept_readable: EVERY_LEVEL,
    both_outputs_come_in_order: EVERY_LEVEL,
    a_folder_that_is_not_there_is_told: EVERY_LEVEL,
}

async fn the_exit_code_is_told(level: Level) {
    let computer = Computer::new(&level);
    for (command, ending) in [
        ("true", "Exited(0)"),
        ("exit 7", "Exited(7)"),
        ("nonexistent-program", "Exited(127)"),
        ("kill -9 $$", "Exited(137)"),
    ] {
        assert_eq!(computer.call(command).run().await.ending, ending, "{command}");
    }
}

async fn a_command_that_takes_too_long_is_stopped(level: Level) {
    let mark = mark();
    let answer = Computer::new(&level).call(&format!("echo before; sleep {mark}")).for_at_most(400).run().await;
    assert_eq!((answer.ending.as_str(), answer.text.as_str()), ("TimedOut", "before\n"));
    assert!(answer.took < Duration::from_millis(1500), "{:?}", answer.took);
    assert_eq!(alive(&mark), 0);
}

async fn nothing_stays_behind_when_time_is_over(level: Level) {
    let mark = mark();
    let command = format!(
        "sleep {mark} & (setsid sh -c 'sleep {mark} & sleep {mark}' &) ; nohup sleep {mark} > /dev/null & sleep {mark}"
    );
    let call = Computer::new(&level).call(&command).for_at_most(500);
    let (answer, most) = tokio::join!(call.run(), async {
        tokio::time::sleep(Duration::from_millis(350)).await;
        alive(&mark)
    });
    assert_eq!(answer.ending, "TimedOut");
    assert!(most >= 4, "they were all running: {most}");
    assert_eq!(alive(&mark), 0);
}

async fn nothing_stays_behind_a_command_that_ended(level: Level) {
    let mark = mark();
    let command = format!("sleep {mark} & (setsid sh -c 'sleep {mark} & sleep {mark}' > /dev/null 2>&1 &) ; echo done");
    let answer = Computer::new(&level).call(&command).run().await;
    assert_eq!((answer.ending.as_str(), answer.text.as_str()), ("Exited(0)", "done\n"));
    assert!(answer.took < Duration::from_secs(2), "it does not wait for what is left: {:?}", answer.took);
    assert_eq!(alive(&mark), 0);
}

async fn a_flood_is_cut_and_stopped(level: Level) {
    let answer = Computer::new(&level).call("echo first; yes | head -c 1000000000").run().await;
    assert_eq!(answer.ending, "TooMuchOutput");
    assert!(answer.text.starts_with("first\ny\n"), "the head is kept");
    assert!(answer.text.len() < 80_000 && answer.text.contains("left out"), "{} bytes", answer.text.len());
}

async fn a_stop_ends_a_pipe_at_once(level: Level) {
    let mark = mark();
    let call = Computer::new(&level).call(&format!("echo started; cat /dev/zero | sleep {mark} | cat"));
    let stop = async {
        call.events
            .wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { text, .. } if text == "started"))
            .await;
        call.cancel.cancel();
        Instant::now()
    };
    let (answer, stopped) = tokio::join!(call.run(), stop);
    assert_eq!(answer.ending, "Interrupted");
    assert!(stopped.elapsed() < Duration::from_millis(500), "{:?}", stopped.elapsed());
    assert_eq!(alive(&mark), 0);
}

async fn a_stop_is_polite_first(level: Level) {
    let computer = Computer::new(&level);
    let call = computer.call("trap 'echo bye > goodbye; exit' TERM; echo started; while :; do sleep 0.01; done");
    let stop = async {
        call.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })).await;
        call.cancel.cancel();
    };
    tokio::join!(call.run(), stop);
    assert_eq!(computer.text("home/work/goodbye").as_deref(), Some("bye\n"));
}

async fn who_ignores_the_polite_stop_is_ended(level: Level) {
    let mark = mark();
    let call =
        Computer::new(&level).call(&format!("trap '' TERM HUP INT; echo started; setsid sleep {mark} & sleep {mark}"));
    let stop = async {
        call.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })).await;
        call.cancel.cancel();
        Instant::now()
    };
    let (_, stopped) = tokio::join!(call.run(), stop);
    assert!(stopped.elapsed() < Duration::from_millis(700), "{:?}", stopped.elapsed());
    assert_eq!(alive(&mark), 0);
}

async fn a_call_that_is_dropped_ends_its_command(level: Level) {
    let mark = mark();
    let computer = Computer::new(&level);
    let call = computer.call(&format!("echo started; (setsid sleep {mark} &); sleep {mark}"));
    {
        let run = std::pin::pin!(call.run());
        let started = std::pin::pin!(call.events.wait_for(|event| matches!(event, TurnEvent::ToolCallProgress { .. })));
        futures_util::future::select(run, started).await;
    }
    assert!(gone(&mark).await < Duration::from_secs(1));
}

async fn an_app_that_is_killed_takes_its_commands_along(level: Level) {
    let mark = mark();
    let computer = Computer::new(&level);
    let mut app = Task::start(&level, &computer, &format!("(setsid sleep {mark} &); sleep {mark}"));
    let started = Instant::now();
    while alive(&mark) < 2 {
        assert!(started.elapsed() < Duration::from_secs(10), "the command starts");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    app.kill().unwrap();
    app.wait().unwrap();
    assert!(gone(&mark).await < Duration::from_secs(1));
}

async fn output_that_is_not_text_is_kept_readable(level: Level) {
    let text = Computer::new(&level).output(r"printf 'a\377\376b\n'").await;
    assert_eq!(text, "a\u{fffd}\u{fffd}b\n");
}

async fn both_outputs_come_in_order(level: Level) {
    let text = Computer::new(&level).output("for i in 1 2 3; do echo out $i; echo err $i >&2; done").await;
    assert_eq!(text, "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n");
}

async fn a_folder_that_is_not_there_is_told(level: Level) {
    let computer = Computer::new(&level);
    let answer = computer.call("true").within(&computer.root.join("missing")).run().await;
    assert!(answer.ending.contains("there is no folder"), "{}", answer.ending);
}
