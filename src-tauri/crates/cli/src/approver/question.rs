//! A question as the terminal shows it: whole, and with everything that could deceive made visible.

use crate::screen::plain;
use namma_protocol::{ApprovalRequest, Preview};
use std::fmt::Write;

/// The question with its reasons and the whole of what it is about.
pub(crate) fn question(request: &ApprovalRequest, colour: bool) -> String {
    let mut text = String::from("\n");
    line(&mut text, &paint(&plain(&request.sentence), "1", colour));
    for reason in &request.reasons {
        line(&mut text, &format!("  {}", plain(reason)));
    }
    text.push_str(&preview(&request.preview, colour));
    if let Some(sandbox) = &request.sandbox {
        line(&mut text, &format!("  Confined by: {}", plain(sandbox)));
    }
    match &request.undo {
        Some(undo) => line(&mut text, &format!("  {}", plain(undo))),
        None => line(&mut text, "  It cannot be undone."),
    }
    text.truncate(text.trim_end().len());
    text
}

/// The thing itself, never cut.
pub(crate) fn preview(preview: &Preview, colour: bool) -> String {
    let mut text = String::new();
    match preview {
        Preview::None => {}
        Preview::Command { command, cwd } => {
            line(&mut text, &format!("  in {}:", plain(cwd)));
            indented(&mut text, command, "    ");
        }
        Preview::Diff { path, diff } => {
            line(&mut text, &format!("  {}", plain(path)));
            for one in diff.lines() {
                let code = match one.as_bytes().first() {
                    Some(b'+') => "32",
                    Some(b'-') => "31",
                    Some(b'@') => "36",
                    _ => "",
                };
                line(&mut text, &format!("    {}", paint(&plain(one), code, colour)));
            }
        }
        Preview::Moves { moves } => {
            for (from, to) in moves {
                line(&mut text, &format!("  {} → {}", plain(from), plain(to)));
            }
        }
        Preview::Request { method, url } => line(&mut text, &format!("  {} {}", plain(method), plain(url))),
        Preview::Paths { paths: things } | Preview::Facts { facts: things } => {
            for thing in things {
                line(&mut text, &format!("  {}", plain(thing)));
            }
        }
    }
    text
}

/// The exact arguments.
pub(crate) fn arguments(request: &ApprovalRequest) -> String {
    let json = serde_json::to_string_pretty(&request.input).unwrap_or_else(|_| request.input.to_string());
    let mut text = String::new();
    line(&mut text, &format!("  {}", plain(&request.tool)));
    indented(&mut text, &json, "    ");
    text.truncate(text.trim_end().len());
    text
}

fn indented(text: &mut String, content: &str, by: &str) {
    for one in content.lines() {
        line(text, &format!("{by}{}", plain(one)));
    }
}

fn line(text: &mut String, content: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{content}");
}

fn paint(text: &str, code: &str, colour: bool) -> String {
    if colour && !code.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use namma_protocol::{ApprovalId, ApprovalScope, SessionId, ToolCallId, UnixMs};

    fn request(preview: Preview) -> ApprovalRequest {
        ApprovalRequest {
            approval_id: ApprovalId::from("apr_1"),
            session_id: SessionId::from("ses_1"),
            call_id: ToolCallId::from("call_1"),
            tool: "run_shell".into(),
            sentence: "Run a command".into(),
            reasons: vec!["Commands are always asked.".into()],
            effects: vec![],
            preview,
            input: serde_json::json!({ "command": "x" }),
            payload_hash: "abc".into(),
            undo: None,
            scopes: vec![ApprovalScope::Once],
            sandbox: Some("bubblewrap".into()),
            asked_at: UnixMs(1),
        }
    }

    #[test]
    fn the_whole_command_is_shown_however_long_it_is() {
        let command = format!("echo {}\nrm -rf /tmp/x", "a".repeat(40_000));
        let shown = question(&request(Preview::Command { command, cwd: "/home/me".into() }), false);
        assert!(shown.contains(&"a".repeat(40_000)) && shown.contains("rm -rf /tmp/x"));
        assert!(shown.contains("Commands are always asked.") && shown.contains("It cannot be undone."));
    }

    #[test]
    fn a_command_cannot_hide_behind_control_characters() {
        let command = "echo ok\x1b[1A\x1b[2Krm -rf ~\u{202e}".to_owned();
        let shown = question(&request(Preview::Command { command, cwd: "/".into() }), false);
        assert!(shown.contains("echo ok\\u{1b}[1A\\u{1b}[2Krm -rf ~\\u{202e}"), "{shown}");
    }

    #[test]
    fn a_diff_is_coloured_only_where_colours_are_wanted() {
        let diff = Preview::Diff { path: "a.txt".into(), diff: "@@ -1 +1 @@\n-old\n+new\n".into() };
        assert!(preview(&diff, true).contains("\x1b[32m+new\x1b[0m"));
        assert!(!preview(&diff, false).contains('\x1b'));
    }
}
