use namma_core::prompt::{PromptParts, SystemPrompt};
use namma_core::tool::Place;
use namma_protocol::{Mode, UnixMs};
use namma_testkit::ManualClock;
use std::time::Duration;

fn prompt(mode: Mode, clock: &ManualClock) -> SystemPrompt {
    let place = Place { cwd: "/w".into(), home: "/h".into() };
    let parts =
        PromptParts { assistant_name: "Tara", user_name: Some("Anita"), persona: "You are {name}.", place: &place };
    SystemPrompt::new(mode, &parts, clock)
}

#[test]
fn the_name_comes_from_the_configuration_and_the_date_from_the_clock() {
    let clock = ManualClock::at(UnixMs(1_772_352_000_000));
    clock.set_zone(jiff::tz::TimeZone::get("Asia/Kolkata").unwrap());
    let prompt = prompt(Mode::Agent, &clock).with_tools;
    assert!(prompt.starts_with("You are Tara."));
    assert!(prompt.ends_with("Today is Sunday, 1 March 2026. The time zone is Asia/Kolkata."), "{prompt}");
    assert!(prompt.contains("Anita"));
}

#[test]
fn the_prompt_stays_byte_for_byte_the_same_within_a_day() {
    let clock = ManualClock::default();
    let first = prompt(Mode::Agent, &clock);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(first, prompt(Mode::Agent, &clock));
}

#[test]
fn chat_mode_says_that_there_are_no_tools() {
    let prompt = prompt(Mode::Chat, &ManualClock::default());
    assert_eq!(prompt.with_tools, prompt.without_tools);
    let text = prompt.with_tools;
    assert!(text.contains("no tools") && text.contains("agent mode") && !text.contains("/w"), "{text}");
}

#[test]
fn a_model_without_tools_is_not_told_of_any() {
    let text = prompt(Mode::Agent, &ManualClock::default()).without_tools;
    assert!(text.contains("no tools") && text.contains("a model that can use tools"), "{text}");
    assert!(!text.contains("/w") && !text.contains("agent mode") && !text.contains("After you change"), "{text}");
}
