use crate::support::{Computer, claims};
use serde_json::json;

claims! { "system_info": the_facts_are_told_without_a_question }

async fn the_facts_are_told_without_a_question() {
    let computer = Computer::new();
    let finished = computer.call("system_info", json!({})).await;
    let namma_protocol::ToolOutcome::Succeeded { content } = finished.outcome else { panic!() };
    assert!(content.contains("memory: ") && content.contains("time zone: "), "{content}");
    assert!(finished.taint.is_clean(), "our own words");
    assert!(computer.shown().is_empty());
}
