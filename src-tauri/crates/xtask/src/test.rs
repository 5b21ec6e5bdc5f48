//! `cargo xtask test`: sets up, runs the steps of the [plan](crate::plan) and adds up the results.
//!
//! A failing step does not end the run, so that one run shows the whole picture. Steps that depend
//! on a failed one are counted as failed without being started. The last line of stdout is always
//! `N passed, N failed`.

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::counts::Counts;
use crate::job::Job;
use crate::node;
use crate::peers;
use crate::places::Places;
use crate::plan::{self, Action, Counted, STEPS, Step};
use crate::servers;
use crate::setup::{NOTHING, Tools, set_up};
use crate::system;

pub(crate) fn test(places: &Places, arguments: &[String]) -> Result<ExitCode> {
    if arguments == ["--list"] {
        for step in STEPS {
            println!("{:<14}{}", step.name, step.about);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let chosen = choose(arguments)?;
    let mut run = Run::new(places, chosen.len());
    match prepare(places, &chosen) {
        Ok(tools) => chosen.iter().for_each(|step| run.step(step, &tools)),
        Err(error) => {
            eprintln!("\nset-up failed: {error:#}");
            run.total += Counts::ONE_FAILED;
        }
    }
    Ok(run.finish())
}

fn choose(arguments: &[String]) -> Result<Vec<&'static Step>> {
    let mut only = HashSet::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let name = match (word.as_str(), word.strip_prefix("--only=")) {
            (_, Some(name)) => name,
            ("--only", None) => words.next().map_or("", String::as_str),
            (other, None) => bail!("unexpected argument `{other}`; known are --only STEP and --list"),
        };
        let Some(step) = STEPS.iter().find(|step| step.name == name) else {
            bail!("there is no step `{name}`; `cargo xtask test --list` names them");
        };
        only.insert(step.name);
    }
    Ok(STEPS.iter().filter(|step| only.is_empty() || only.contains(step.name)).collect())
}

fn prepare(places: &Places, chosen: &[&Step]) -> Result<Tools> {
    let started = Instant::now();
    eprintln!("==> set-up");
    let needs = chosen.iter().fold(NOTHING, |needs, step| needs.and(step.needs));
    let tools = set_up(places, needs)?;
    let names: HashSet<&str> = chosen.iter().map(|step| step.name).collect();
    let needs_dist = chosen.iter().any(|step| step.after.is_some());
    // With a single step chosen, what it stands on must be there all the same.
    if needs_dist && !names.contains("ui-build") {
        node::build_ui(places, &tools)?;
    }
    if chosen.iter().any(|step| step.after == Some("build")) && !names.contains("build") {
        Job::new("build", plan::build(places)).must(places, "correct the errors above")?;
    }
    eprintln!("    ready after {} s", started.elapsed().as_secs());
    Ok(tools)
}

struct Run<'a> {
    places: &'a Places,
    count: usize,
    begun: usize,
    failed: HashSet<&'static str>,
    total: Counts,
    summary: Vec<String>,
    started: Instant,
}

impl<'a> Run<'a> {
    fn new(places: &'a Places, count: usize) -> Self {
        Self {
            places,
            count,
            begun: 0,
            failed: HashSet::new(),
            total: Counts::default(),
            summary: Vec::new(),
            started: Instant::now(),
        }
    }

    fn step(&mut self, step: &'static Step, tools: &Tools) {
        self.begun += 1;
        eprintln!("==> [{}/{}] {}: {}", self.begun, self.count, step.name, step.about);
        let started = Instant::now();
        let result = match step.after {
            Some(before) if self.failed.contains(before) && !self.may_go_on_after(before) => {
                Err(format!("not started, because {before} failed"))
            }
            _ => self.outcome(step, tools),
        };
        self.note(step, result, started.elapsed());
    }

    /// An older build of the front end is good enough for the Rust steps.
    fn may_go_on_after(&self, before: &str) -> bool {
        before == "ui-build" && node::has_built_ui(self.places)
    }

    /// `Ok(None)` means that the step was left out; `Err` is what to tell.
    fn outcome(&self, step: &Step, tools: &Tools) -> Result<Option<Counts>, String> {
        let explain = |error: anyhow::Error| format!("{error:#}\nwhat to do: {}", step.advice);
        let command = match &step.action {
            Action::Check(check) => {
                check(self.places).map_err(explain)?;
                return Ok(Some(Counts { passed: 1, failed: 0 }));
            }
            Action::IfInstalled(program, _) if !system::has_program(program) => return Ok(None),
            Action::IfInstalled(_, command) => command(self.places),
            Action::Program(command) => command(self.places, tools),
            Action::WithModel(command) => {
                let model = peers::ensure(self.places, tools).map_err(explain)?;
                let mut command = command(self.places);
                command.envs(model.environment());
                command
            }
            Action::WithServers(command) => {
                let servers = servers::ensure(self.places, tools).map_err(explain)?;
                let mut command = command(self.places);
                command.envs(servers.environment());
                command
            }
        };
        let mut job = Job::new(step.name, command).limit_minutes(step.minutes);
        if step.is_crowd {
            job = job.own_group();
        }
        let ended = job.watch(self.places).map_err(explain)?;
        let log = ended.text().map_err(explain)?;
        let counts = judge(step.counted, ended.is_ok, &log);
        if counts.failed > 0 && ended.is_ok {
            return Err(format!("{} ran no tests\nwhat to do: {}", step.name, step.advice));
        }
        if counts.failed > 0 {
            eprintln!("{}", ended.explain(step.name, step.advice));
        }
        Ok(Some(counts))
    }

    fn note(&mut self, step: &'static Step, result: Result<Option<Counts>, String>, took: Duration) {
        let counts = match result {
            Ok(Some(counts)) => counts,
            Ok(None) => {
                self.summary.push(format!("  {:<14}not run: not installed", step.name));
                eprintln!("    not run: not installed");
                return;
            }
            Err(reason) => {
                eprintln!("{reason}");
                Counts::ONE_FAILED
            }
        };
        if counts.failed > 0 {
            self.failed.insert(step.name);
        }
        self.total += counts;
        let line = format!("{} passed, {} failed in {} s", counts.passed, counts.failed, took.as_secs());
        eprintln!("    {line}");
        self.summary.push(format!("  {:<14}{line}", step.name));
    }

    fn finish(self) -> ExitCode {
        eprintln!("\nall steps in {} s", self.started.elapsed().as_secs());
        for line in &self.summary {
            eprintln!("{line}");
        }
        println!("{} passed, {} failed", self.total.passed, self.total.failed);
        if self.total.failed == 0 && self.total.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// A runner that fails without a failed test crashed, and one without any test tested nothing.
fn judge(counted: Counted, is_ok: bool, log: &str) -> Counts {
    let mut counts = match counted {
        Counted::AsOne if is_ok => Counts { passed: 1, failed: 0 },
        Counted::AsOne => Counts::ONE_FAILED,
        Counted::ByLog => Counts::read(log),
    };
    let nothing_ran = counts == Counts::default();
    if counts.failed == 0 && (!is_ok || nothing_ran) {
        counts.failed = 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_any_test_fails() {
        assert_eq!(judge(Counted::ByLog, true, "nothing to do"), Counts::ONE_FAILED);
    }

    #[test]
    fn a_crash_after_passing_tests_fails() {
        let log = "test result: ok. 3 passed; 0 failed; 0 ignored";
        assert_eq!(judge(Counted::ByLog, false, log), Counts { passed: 3, failed: 1 });
    }

    #[test]
    fn failed_tests_are_counted_once() {
        let log = "test result: FAILED. 3 passed; 2 failed; 0 ignored";
        assert_eq!(judge(Counted::ByLog, false, log), Counts { passed: 3, failed: 2 });
    }

    #[test]
    fn only_chooses_steps_in_the_order_of_the_plan() {
        let arguments = ["--only", "rust", "--only=fmt"].map(String::from);
        let names: Vec<&str> = choose(&arguments).unwrap().iter().map(|step| step.name).collect();
        assert_eq!(names, ["fmt", "rust"]);
    }

    #[test]
    fn an_unknown_step_is_refused() {
        assert!(choose(&["--only".into(), "nonsense".into()]).is_err());
        assert!(choose(&["--onyl".into(), "fmt".into()]).is_err());
    }

    #[test]
    fn each_step_comes_after_the_step_it_stands_on() {
        for (position, step) in STEPS.iter().enumerate() {
            let Some(before) = step.after else { continue };
            assert!(STEPS[..position].iter().any(|earlier| earlier.name == before), "{} needs {before}", step.name);
        }
    }
}
