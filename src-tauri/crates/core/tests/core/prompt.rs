use namma_core::prompt::{PromptParts, system_prompt};
use namma_core::tool::Place;
use namma_protocol::{Mode, UnixMs};
use namma_testkit::ManualClock;
use std::time::Duration;

fn parts(place: &Place, mode: Mode) -> PromptParts<'_> {
    PromptParts { assistant_name: "Tara", user_name: Some("Anita"), persona: "You are {name}.", mode, place }
}

#[test]
fn the_name_comes_from_the_configuration_and_the_date_from_the_clock() {
    let place = Place { cwd: "/w".into(), home: "/h".into() };
    let clock = ManualClock::at(UnixMs(1_772_352_000_000));
    clock.set_zone(jiff::tz::TimeZone::get("Asia/Kolkata").unwrap());
    let prompt = system_prompt(&parts(&place, Mode::Agent), &clock);
    assert!(prompt.starts_with("You are Tara."));
    assert!(prompt.ends_with("Today is Sunday, 1 March 2026. The time zone is Asia/Kolkata."), "{prompt}");
    assert!(prompt.contains("Anita"));
}

#[test]
fn the_prompt_stays_byte_for_byte_the_same_within_a_day() {
    let place = Place { cwd: "/w".into(), home: "/h".into() };
    let clock = ManualClock::default();
    let first = system_prompt(&parts(&place, Mode::Agent), &clock);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(first, system_prompt(&parts(&place, Mode::Agent), &clock));
}

#[test]
fn chat_mode_says_that_there_are_no_tools() {
    let place = Place { cwd: "/w".into(), home: "/h".into() };
    let prompt = system_prompt(&parts(&place, Mode::Chat), &ManualClock::default());
    assert!(prompt.contains("no tools") && !prompt.contains("/w"), "{prompt}");
}
