//! Server-sent events out of bytes that are cut anywhere. What an event means is the codecs' own.

use serde_json::Value;

const EVENT_LIMIT: usize = 16 * 1024 * 1024;

/// One thing that the parser found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Event(Event),
    /// An event was larger than 16 MiB. Nothing more comes.
    TooLarge,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Empty where the event has no name.
    pub(super) name: String,
    pub(super) data: String,
    /// `false`: the body ended within this event, so its data may be a torso.
    pub(super) whole: bool,
}

/// What the data of an event is.
pub(super) enum Payload {
    Json(Value),
    /// Nothing, or the torso of an event that the end of the body cut.
    Nothing,
    Garbage,
}

impl Event {
    pub(super) fn payload(&self) -> Payload {
        if self.data.trim().is_empty() {
            return Payload::Nothing;
        }
        match serde_json::from_str(&self.data) {
            Ok(value) => Payload::Json(value),
            Err(_) if self.whole => Payload::Garbage,
            Err(_) => Payload::Nothing,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Parser {
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
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
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
    pub(super) fn finish(&mut self) -> Option<Event> {
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
