//! Server-sent events out of bytes that are cut anywhere.

use super::{EVENT_LIMIT, Event, Frame};

#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    is_past_first_line: bool,
    /// The last byte was a carriage return, so a line feed next belongs to it.
    is_after_cr: bool,
    is_broken: bool,
}

impl Parser {
    pub(in crate::providers) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() && !self.is_broken {
            if std::mem::take(&mut self.is_after_cr) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let piece = &rest[..end.unwrap_or(rest.len())];
            if self.data.len() + self.line.len() + piece.len() > EVENT_LIMIT {
                self.is_broken = true;
                frames.push(Frame::TooLarge);
                return frames;
            }
            self.line.extend_from_slice(piece);
            let Some(end) = end else { break };
            self.is_after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            frames.extend(self.end_line().map(Frame::Event));
        }
        frames
    }

    /// The event that the end of the body left without its blank line.
    pub(in crate::providers) fn finish(&mut self) -> Option<Event> {
        if self.is_broken {
            return None;
        }
        if !self.line.is_empty() {
            self.end_line();
        }
        let mut event = self.dispatch()?;
        event.whole = false;
        Some(event)
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.is_past_first_line, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => self.name = value.to_vec(),
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            // Comments, `id`, `retry`, and what is not in the standard.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then(|| Event {
            name: String::from_utf8_lossy(&name).into_owned(),
            data: String::from_utf8_lossy(&data).into_owned(),
            whole: true,
        })
    }
}

#[cfg(test)]
mod tests;
