//! What a job said, by the byte at which it stands in all of it. The oldest is let go of.

use super::output::{plain, size_of_character};
use agent::context::RESULT_CHARS;
use std::collections::VecDeque;

/// Bytes that are kept.
const KEPT: usize = 256 * 1024;
/// Bytes of one part, as they stand in a result.
const PART: usize = 6_400;
const _: () = assert!(PART + 1_500 < RESULT_CHARS, "there is room for what is told besides");
/// Lines and characters that a person is shown of what it said last.
const LAST_LINES: usize = 8;
const LAST_CHARS: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct JobOutput {
    kept: VecDeque<u8>,
    /// Bytes before them.
    dropped: u64,
    /// Where whoever reads it in order goes on.
    read_to: u64,
}

/// Some of an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) text: String,
    /// Bytes that stood before it and are not there any more.
    pub(crate) left_out: u64,
    /// The byte to read on from, where there is more already.
    pub(crate) read_on_from: Option<u64>,
}

impl JobOutput {
    pub(super) fn take(&mut self, part: &[u8]) {
        self.kept.extend(part);
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
        self.dropped += surplus as u64;
    }

    pub(super) fn has_unread(&self, from: Option<u64>) -> bool {
        from.unwrap_or(self.read_to) < self.end()
    }

    /// From that byte on, or from where it was read last.
    pub(super) fn read(&mut self, from: Option<u64>) -> Part {
        let wanted = from.unwrap_or(self.read_to).min(self.end());
        let begin = wanted.max(self.dropped);
        let after = usize::try_from(begin - self.dropped).unwrap_or(usize::MAX);
        let rest: Vec<u8> = self.kept.iter().skip(after).take(PART).copied().collect();
        let (taken, text) = fitting(&rest, rest.len() < self.kept.len().saturating_sub(after));
        let end = begin + taken as u64;
        self.read_to = end;
        Part { text, left_out: begin - wanted, read_on_from: (end < self.end()).then_some(end) }
    }

    /// The end of it, for a person.
    pub(super) fn last_lines(&self) -> String {
        let before = self.kept.len().saturating_sub(4 * LAST_CHARS);
        let end: Vec<u8> = self.kept.iter().skip(before).copied().collect();
        let text = plain(&end);
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n");
        let surplus = last.chars().count().saturating_sub(LAST_CHARS);
        last.chars().skip(surplus).collect()
    }

    pub(super) fn end(&self) -> u64 {
        self.dropped + self.kept.len() as u64
    }
}

/// So many of the bytes that their text fits into a part, and that text. Where more follow, they end with a line or at
/// least with a character.
fn fitting(bytes: &[u8], more_follow: bool) -> (usize, String) {
    let mut most = bytes.len();
    loop {
        let is_cut = more_follow || most < bytes.len();
        let taken = if is_cut { whole_end(&bytes[..most]) } else { most };
        let text = plain(&bytes[..taken]);
        if text.chars().map(size_of_character).sum::<usize>() <= PART {
            return (taken, text);
        }
        most = most * 3 / 4;
    }
}

fn whole_end(bytes: &[u8]) -> usize {
    let half = bytes.len() / 2;
    if let Some(line) = bytes[half..].iter().rposition(|byte| *byte == b'\n') {
        return half + line + 1;
    }
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => error.valid_up_to(),
        _ => bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_read_on_from_where_it_was_read_last_and_nothing_is_lost_or_said_twice() {
        let mut output = JobOutput::default();
        assert_eq!(output.read(None), Part::default());
        output.take(b"one\n");
        output.take(b"two\n");
        assert!(output.has_unread(None));
        assert_eq!(output.read(None).text, "one\ntwo\n");
        assert!(!output.has_unread(None) && output.has_unread(Some(4)));
        assert_eq!(output.read(Some(4)).text, "two\n");
        let said: String = (0..5_000).map(|n| format!("line \"{n}\" \u{e4}\n")).collect();
        output.take(said.as_bytes());
        let (mut read, mut parts) = (String::new(), 0);
        loop {
            let part = output.read(None);
            assert!(serde_json::to_string(&part.text).unwrap().len() <= PART + 2);
            read.push_str(&part.text);
            parts += 1;
            if part.read_on_from.is_none() {
                break;
            }
        }
        assert!(read == said && parts > 10, "{parts}");
    }

    #[test]
    fn of_more_than_is_kept_the_oldest_goes_and_is_counted() {
        let mut output = JobOutput::default();
        for _ in 0..300 {
            output.take(&[b'x'; 1024]);
        }
        let part = output.read(None);
        assert_eq!(part.left_out, 300 * 1024 - KEPT as u64);
        assert_eq!(part.read_on_from, Some(part.left_out + part.text.len() as u64));
        assert_eq!(output.read(Some(u64::MAX)).text, "");
        output.take(b"\nfern\nmoss\n");
        assert!(output.last_lines().ends_with("\nfern\nmoss"));
        assert!(output.last_lines().len() <= LAST_CHARS);
    }
}
