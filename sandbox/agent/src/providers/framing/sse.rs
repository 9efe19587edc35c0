//! Server-sent events out of bytes that are cut anywhere.

use super::{EVENT_LIMIT, Event, Frame};
use std::time::Duration;

/// Bytes of an id. After a longer one no stream is taken up again.
const LONGEST_ID: usize = 1024;

#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// The id of the event that is coming, which those after it keep until another one is named.
    id: Vec<u8>,
    last_id: Vec<u8>,
    retry: Option<Duration>,
    is_past_first_line: bool,
    /// The last byte was a carriage return, so a line feed next belongs to it.
    is_after_cr: bool,
    is_broken: bool,
}

impl Parser {
    pub(super) fn after(last_id: &str) -> Self {
        Self { id: last_id.into(), last_id: last_id.into(), ..Self::default() }
    }

    /// The id of the last event that came whole, also if it had no data.
    pub(super) fn last_id(&self) -> Option<&str> {
        std::str::from_utf8(&self.last_id).ok().filter(|id| !id.is_empty())
    }

    /// How long to wait before the stream is asked for again, as it says itself.
    pub(super) fn retry(&self) -> Option<Duration> {
        self.retry
    }

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
            let Some(end) = end else {
                self.line.extend_from_slice(piece);
                break;
            };
            self.is_after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            let event = if self.line.is_empty() {
                self.end_line(piece)
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(piece);
                self.end_line(&line)
            };
            frames.extend(event.map(Frame::Event));
        }
        frames
    }

    /// The event that the end of the body left without its blank line.
    pub(in crate::providers) fn finish(&mut self) -> Option<Event> {
        if self.is_broken {
            return None;
        }
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.end_line(&line);
        }
        let mut event = self.dispatch()?;
        event.whole = false;
        Some(event)
    }

    fn end_line(&mut self, line: &[u8]) -> Option<Event> {
        let mut line = line;
        if !std::mem::replace(&mut self.is_past_first_line, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            self.last_id.clone_from(&self.id);
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
            b"id" if !value.contains(&0) => {
                let kept = if value.len() <= LONGEST_ID { value } else { &[] };
                self.id = kept.to_vec();
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let millis = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                self.retry = Some(Duration::from_millis(millis.unwrap_or(u64::MAX)));
            }
            // Comments, and what is not in the standard.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then(|| Event { name: text(name), data: text(data), whole: true })
    }
}

/// What is no UTF-8 is replaced.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests;
