//! Lines of JSON out of bytes that are cut anywhere.

use super::{EVENT_LIMIT, Event, Frame};

#[derive(Debug, Default)]
pub struct Parser {
    line: Vec<u8>,
    is_past_first_line: bool,
    is_broken: bool,
}

impl Parser {
    pub(in crate::providers) fn push(&mut self, bytes: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() && !self.is_broken {
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let piece = &rest[..end.unwrap_or(rest.len())];
            if self.line.len() + piece.len() > EVENT_LIMIT {
                self.is_broken = true;
                frames.push(Frame::TooLarge);
                return frames;
            }
            self.line.extend_from_slice(piece);
            let Some(end) = end else { break };
            rest = &rest[end + 1..];
            frames.extend(self.end_line(true).map(Frame::Event));
        }
        frames
    }

    /// The line that the end of the body left without its ending.
    pub(in crate::providers) fn finish(&mut self) -> Option<Event> {
        if self.is_broken { None } else { self.end_line(false) }
    }

    /// `None` for a blank line.
    fn end_line(&mut self, whole: bool) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.is_past_first_line, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.trim_ascii().is_empty() {
            return None;
        }
        Some(Event { name: String::new(), data: String::from_utf8_lossy(line).into_owned(), whole })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `bytes`, the same however the bytes are cut.
    fn check(bytes: &[u8], expected: &str) {
        for cut in 0..=bytes.len() {
            assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), expected, "cut {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(&single), expected, "byte by byte");
    }

    fn read(pieces: &[&[u8]]) -> String {
        let mut parser = Parser::default();
        let mut frames: Vec<Frame> = pieces.iter().flat_map(|piece| parser.push(piece)).collect();
        frames.extend(parser.finish().map(Frame::Event));
        let lines: Vec<String> = frames
            .iter()
            .map(|frame| match frame {
                Frame::Event(event) if event.whole => event.data.clone(),
                Frame::Event(event) => format!("{}|torso", event.data),
                Frame::TooLarge => "too large".to_owned(),
                Frame::Corrupt(why) => (*why).to_owned(),
            })
            .collect();
        lines.join(" ; ")
    }

    #[test]
    fn a_line_is_an_event_and_a_blank_one_is_not() {
        check(b"{}\n\n[1]\r\n \r{\"a\":1}\r", "{} ; [1] ; {\"a\":1}");
        check(b"\xEF\xBB\xBF{}\n", "{}");
        check("\"grüße 🐙\"\n".as_bytes(), "\"grüße 🐙\"");
    }

    #[test]
    fn a_line_without_its_ending_is_told_as_a_torso() {
        check(b"{}\n{\"a\"", "{} ; {\"a\"|torso");
        check(b"", "");
    }

    #[test]
    fn a_line_beyond_the_limit_ends_the_stream() {
        let mut parser = Parser::default();
        let block = vec![b'x'; EVENT_LIMIT / 2 + 1];
        assert_eq!(parser.push(&block), []);
        assert_eq!(parser.push(&block), [Frame::TooLarge]);
        assert_eq!(parser.push(b"\n{}\n"), []);
        assert_eq!(parser.finish(), None);
    }
}
