//! The person at the terminal, and the one who said yes beforehand.

mod question;

use crate::lines::Lines;
use crate::screen::{Question, note, note_raw, prompt};
use namma_core::BoxFuture;
use namma_core::ports::Approver;
use namma_protocol::{ApprovalDecision, ApprovalRequest, ApprovalScope};
use question::{arguments, question};
use tokio::sync::Mutex;

/// Asks on the terminal. No answer, the end of the input and anything unclear mean no.
pub(crate) struct TerminalApprover {
    lines: Lines,
    colour: bool,
    /// There is more than one turn: an answer may count for the chat.
    lasts: bool,
    /// One question at a time.
    turn: Mutex<()>,
}

impl TerminalApprover {
    pub(crate) fn new(lines: Lines, colour: bool, lasts: bool) -> Self {
        Self { lines, colour, lasts, turn: Mutex::new(()) }
    }

    async fn put(&self, request: &ApprovalRequest) -> ApprovalDecision {
        let _one_at_a_time = self.turn.lock().await;
        let _on_the_screen = Question::begin();
        note_raw(&question(request, self.colour));
        self.lines.begin_answer().await;
        let offered = if self.lasts { request.scopes.as_slice() } else { &[ApprovalScope::Once] };
        loop {
            prompt(&choices(offered));
            let Some(line) = self.lines.answer().await else {
                note("");
                return ApprovalDecision::Decline { note: Some("nobody answered".into()) };
            };
            match Answer::read(&line, offered) {
                Answer::Decide(decision) => return decision,
                Answer::ShowArguments => note_raw(&arguments(request)),
                Answer::Unclear => note("Answer with one of the letters in brackets."),
            }
        }
    }
}

impl Approver for TerminalApprover {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision> {
        Box::pin(self.put(request))
    }

    fn name(&self) -> &'static str {
        "terminal"
    }
}

fn choices(scopes: &[ApprovalScope]) -> String {
    let chat = if scopes.contains(&ApprovalScope::Session) { ", in this [c]hat" } else { "" };
    format!("[a]llow once{chat}, [d]ecline, [e]xact arguments (decline): ")
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Decide(ApprovalDecision),
    ShowArguments,
    Unclear,
}

impl Answer {
    fn read(line: &str, offered: &[ApprovalScope]) -> Self {
        let allow = |scope| Self::Decide(ApprovalDecision::Allow { scope });
        match line.trim().to_lowercase().as_str() {
            "a" | "allow" | "allow once" | "y" | "yes" => allow(ApprovalScope::Once),
            "c" | "chat" if offered.contains(&ApprovalScope::Session) => allow(ApprovalScope::Session),
            "" | "d" | "decline" | "n" | "no" => Self::Decide(ApprovalDecision::Decline { note: None }),
            "e" | "exact" | "?" => Self::ShowArguments,
            _ => Self::Unclear,
        }
    }
}

/// Says yes to every question, aloud. What a rule denies is never asked, so it stays denied.
pub(crate) struct AllowAll;

impl Approver for AllowAll {
    fn ask<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ApprovalDecision> {
        note(&format!("namma: allowed by --approve always: {} ({})", request.sentence, request.tool));
        for line in question::preview(&request.preview, false).lines() {
            note_raw(line);
        }
        Box::pin(async { ApprovalDecision::Allow { scope: ApprovalScope::Once } })
    }

    fn name(&self) -> &'static str {
        "always"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &[ApprovalScope] = &[ApprovalScope::Once, ApprovalScope::Session];
    const NO: Answer = Answer::Decide(ApprovalDecision::Decline { note: None });

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        assert_eq!(Answer::read("a", BOTH), Answer::Decide(ApprovalDecision::Allow { scope: ApprovalScope::Once }));
        assert_eq!(Answer::read(" Yes ", BOTH), Answer::Decide(ApprovalDecision::Allow { scope: ApprovalScope::Once }));
        assert_eq!(Answer::read("", BOTH), NO);
        assert_eq!(Answer::read("n", BOTH), NO);
        assert_eq!(Answer::read("sure why not", BOTH), Answer::Unclear);
    }

    #[test]
    fn the_whole_chat_can_be_allowed_only_where_it_is_offered() {
        let whole_chat = Answer::Decide(ApprovalDecision::Allow { scope: ApprovalScope::Session });
        assert_eq!(Answer::read("c", BOTH), whole_chat);
        assert_eq!(Answer::read("c", &[ApprovalScope::Once]), Answer::Unclear);
        assert!(!choices(&[ApprovalScope::Once]).contains("[c]hat"));
    }
}
