//! Splits a body into server-sent events, at any cut of the bytes, in bounded memory.
//!
//! It never decodes text: an event's data stays bytes until it is whole, so a cut inside a
//! character or a line end does no harm.

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SseEvent {
    /// Empty for an ordinary event.
    pub(crate) name: String,
    pub(crate) data: Vec<u8>,
}

/// An event was longer than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// The splitter's state between two pieces of the body.
pub(crate) struct SseSplitter {
    max_bytes: usize,
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    first_line: bool,
    name: String,
    data: Option<Vec<u8>>,
}

impl SseSplitter {
    /// A splitter for events of at most `max_bytes`.
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { max_bytes, line: Vec::new(), after_return: false, first_line: true, name: String::new(), data: None }
    }

    /// Takes a piece of the body and appends the events it completes.
    pub(crate) fn push(&mut self, mut bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), TooLong> {
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                return self.extend_line(bytes);
            };
            self.extend_line(&bytes[..end])?;
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line(events);
        }
        Ok(())
    }

    /// The event that was under way when the body ended. It may be cut anywhere.
    pub(crate) fn finish(mut self) -> Option<SseEvent> {
        let mut events = Vec::new();
        if !self.line.is_empty() {
            self.end_line(&mut events);
        }
        self.dispatch(&mut events);
        events.pop()
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if held + bytes.len() > self.max_bytes {
            return Err(TooLong);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if std::mem::take(&mut self.first_line) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(events);
        }
        // Some servers write an error as a bare line of JSON into the stream.
        if line.starts_with(b"{") {
            return self.add_data(line);
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &line[..0]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.add_data(value),
            b"event" => self.name = String::from_utf8_lossy(value).trim().to_owned(),
            // Older llama-server: `error: {…}`.
            b"error" => {
                "error".clone_into(&mut self.name);
                self.add_data(value);
            }
            _ => {}
        }
    }

    fn add_data(&mut self, value: &[u8]) {
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
    }

    fn dispatch(&mut self, events: &mut Vec<SseEvent>) {
        let name = std::mem::take(&mut self.name);
        if let Some(data) = self.data.take() {
            events.push(SseEvent { name, data });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SseEvent, SseSplitter, TooLong};
    use proptest::prelude::*;

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent { name: name.to_owned(), data: data.as_bytes().to_vec() }
    }

    fn split(pieces: &[&[u8]]) -> Vec<SseEvent> {
        let mut splitter = SseSplitter::new(1000);
        let mut events = Vec::new();
        for piece in pieces {
            splitter.push(piece, &mut events).expect("short events");
        }
        events.extend(splitter.finish());
        events
    }

    #[test]
    fn every_line_end_and_padding_is_understood() {
        let body = "\u{feff}: ping\n\ndata: one\n\nevent: error\r\ndata:two\r\n\r\ndata: a\rdata: b\r\rid: 7\nretry: 1\n\ndata:  x \n\n";
        let expected = [event("", "one"), event("error", "two"), event("", "a\nb"), event("", " x ")];
        assert_eq!(split(&[body.as_bytes()]), expected);
    }

    #[test]
    fn an_event_without_its_blank_line_is_given_at_the_end() {
        assert_eq!(split(&[b"data: one\n\ndata: [DONE]"]), [event("", "one"), event("", "[DONE]")]);
    }

    #[test]
    fn bare_json_and_error_fields_are_data() {
        assert_eq!(
            split(&[b"{\"error\":1}\n\nerror: {\"code\":500}\n\n"]),
            [event("", "{\"error\":1}"), event("error", "{\"code\":500}")]
        );
    }

    #[test]
    fn a_line_without_end_stops_at_the_cap() {
        let mut splitter = SseSplitter::new(1000);
        let mut events = Vec::new();
        let outcome = (0..20).try_for_each(|_| splitter.push(&[b'a'; 100], &mut events));
        assert_eq!(outcome, Err(TooLong));
        assert!(splitter.line.len() <= 1000);
    }

    #[test]
    fn many_data_lines_stop_at_the_cap() {
        let mut splitter = SseSplitter::new(1000);
        let mut events = Vec::new();
        let outcome = (0..200).try_for_each(|_| splitter.push(b"data: 1234567890\n", &mut events));
        assert_eq!(outcome, Err(TooLong));
    }

    proptest! {
        #[test]
        fn the_cut_of_the_bytes_changes_nothing(cuts in prop::collection::vec(0_usize..70, 0..12)) {
            let body = "data: ಕನ್ನಡ\r\n\r\n: c\r\nevent: e\r\ndata: 1\rdata: 2\n\ndata: end".as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(body.len())).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([body.len()]) {
                pieces.push(&body[from..cut]);
                from = cut;
            }
            prop_assert_eq!(split(&pieces), split(&[body]));
        }
    }
}
