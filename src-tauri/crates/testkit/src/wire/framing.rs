use super::Frame;

/// How events become lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// `\n`, `\r\n` or `\r`.
    pub line_end: &'static str,
    /// The stream begins with a byte order mark.
    pub has_bom: bool,
    /// Comments, empty events, numbers and named pings stand between the events.
    pub is_chatty: bool,
    /// Events have their names.
    pub has_names: bool,
    /// No space after the colon, and space after the data.
    pub is_padded: bool,
    /// The last event has its blank line.
    pub has_last_blank: bool,
}

impl Default for Framing {
    fn default() -> Self {
        Self {
            line_end: "\n",
            has_bom: false,
            is_chatty: false,
            has_names: true,
            is_padded: false,
            has_last_blank: true,
        }
    }
}

impl Framing {
    /// The stream of these events.
    pub fn bytes(&self, frames: &[Frame]) -> Vec<u8> {
        let end = self.line_end;
        let mut text = String::new();
        if self.has_bom {
            text.push('\u{feff}');
        }
        if self.is_chatty {
            text.push_str(&format!(": OPENROUTER PROCESSING{end}{end}retry: 10{end}id: 0{end}{end}"));
        }
        for (number, frame) in frames.iter().enumerate() {
            if self.is_chatty {
                let ping = "{\"type\":\"ping\"}";
                text.push_str(&format!(
                    ": ping{end}event: ping{end}data: {ping}{end}{end}data:{end}{end}id: {number}{end}"
                ));
            }
            if self.has_names && !frame.name.is_empty() {
                text.push_str(&format!("event: {}{end}", frame.name));
            }
            let (before, after) = if self.is_padded { ("", "   ") } else { (" ", "") };
            text.push_str(&format!("data:{before}{}{after}{end}{end}", frame.data));
        }
        if !self.has_last_blank {
            text.truncate(text.len() - 2 * end.len());
        }
        text.into_bytes()
    }
}
