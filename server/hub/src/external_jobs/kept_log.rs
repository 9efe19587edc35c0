//! What a job says, as it is kept: plain text, and of a long log its end.

use protocol::view::ExternalJobLog;

/// Bytes of a log that are kept.
const KEPT: usize = 256 * 1024;
/// A line that is longer is taken before it ends.
const LONGEST_LINE: usize = 64 * 1024;

/// The text, the byte of the whole log at which it begins, and how many bytes that has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptLog {
    pub(super) text: String,
    pub(super) from: u64,
}

impl KeptLog {
    pub(super) fn bytes(&self) -> u64 {
        self.from + self.text.len() as u64
    }

    /// Adds to its end, and lets go of what is too long ago, by whole lines if there are any.
    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() <= KEPT {
            return;
        }
        let cut = ceil(&self.text, self.text.len() - KEPT);
        let line = self.text[cut..].find('\n').filter(|at| *at < LONGEST_LINE).map_or(0, |at| at + 1);
        self.text.drain(..cut + line);
        self.from += (cut + line) as u64;
    }

    /// From that byte on, or its last part.
    pub(super) fn part(&self, from: Option<u64>, most: usize) -> ExternalJobLog {
        let wanted = from.unwrap_or_else(|| self.bytes().saturating_sub(most as u64)).min(self.bytes());
        let within = usize::try_from(wanted.saturating_sub(self.from)).unwrap_or(usize::MAX);
        let begin = ceil(&self.text, within);
        let end = floor(&self.text, begin.saturating_add(most));
        ExternalJobLog {
            text: self.text[begin..end].to_owned(),
            from: self.from + begin as u64,
            next: self.from + end as u64,
            left_out: from.map_or(0, |from| self.from.saturating_sub(from)),
        }
    }
}

/// Whether more of a log comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    Comes,
    No,
}

/// The text of as many of the bytes as are whole lines, and how many these are.
pub(super) fn taken(bytes: &[u8], more: More) -> (usize, String) {
    let whole = match more {
        More::No => bytes.len(),
        More::Comes => match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => at + 1,
            None if bytes.len() >= LONGEST_LINE => whole_letters(bytes),
            None => 0,
        },
    };
    (whole, plain(&String::from_utf8_lossy(&bytes[..whole])))
}

/// How many of the bytes there are before a letter of which not all has come.
fn whole_letters(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    let begin = (tail..bytes.len()).rev().find(|at| bytes[*at] & 0b1100_0000 != 0b1000_0000);
    let Some(begin) = begin else { return bytes.len() };
    let letter = match bytes[begin] {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    };
    if bytes.len() - begin < letter { begin } else { bytes.len() }
}

/// Without colours, signs that nobody sees, and those that turn the order of others around.
pub(super) fn plain(text: &str) -> String {
    const ESCAPE: char = '\u{1b}';
    let mut said = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ESCAPE => match letters.next() {
                Some('[') => {
                    // Up to the letter that ends it, on this line.
                    while letters.peek().is_some_and(|next| !('@'..='~').contains(next) && *next != '\n') {
                        letters.next();
                    }
                    letters.next_if(|next| *next != '\n');
                }
                Some(']') => {
                    while letters.peek().is_some_and(|next| !matches!(*next, '\u{7}' | ESCAPE | '\n')) {
                        letters.next();
                    }
                    letters.next_if_eq(&'\u{7}');
                }
                Some('\n') => said.push('\n'),
                Some(_) | None => {}
            },
            '\r' => {
                if letters.peek() != Some(&'\n') {
                    said.push('\n');
                }
            }
            '\n' | '\t' => said.push(letter),
            '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            letter if letter.is_control() => {}
            letter => said.push(letter),
        }
    }
    said
}

/// The first place from there on where a letter begins.
fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// The last one up to there.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_taken_by_whole_lines_and_as_plain_text() {
        let long = vec![b'x'; LONGEST_LINE];
        for (bytes, more, whole, text) in [
            (&b"one\ntwo"[..], More::Comes, 4, "one\n"),
            (b"one\ntwo", More::No, 7, "one\ntwo"),
            (b"one", More::Comes, 0, ""),
            (b"\x1b[31mred\x1b[0m\n", More::Comes, 13, "red\n"),
            (b"\x1b]0;title\x07a\n", More::Comes, 12, "a\n"),
            (b"1%\r2%\r\n", More::Comes, 7, "1%\n2%\n"),
            (b"a\0b\xffc\n", More::Comes, 6, "ab\u{fffd}c\n"),
            (b"\x1b[", More::No, 2, ""),
            (b"\x1b[31\nno colour\n", More::Comes, 15, "\nno colour\n"),
        ] {
            assert_eq!(taken(bytes, more), (whole, text.to_owned()), "{bytes:?}");
        }
        assert_eq!(taken(&long, More::Comes).0, LONGEST_LINE);
        let cut = [&long[..], "é".as_bytes()].concat();
        assert_eq!(taken(&cut[..cut.len() - 1], More::Comes).0, LONGEST_LINE);
    }

    #[test]
    fn of_a_long_log_the_end_is_kept_and_every_byte_keeps_its_number() {
        let mut log = KeptLog::default();
        for number in 0..30_000 {
            log.add(&format!("line {number} ä\n"));
        }
        assert!(log.text.len() <= KEPT && log.text.starts_with("line "), "{}", &log.text[..20]);
        let end = log.part(None, 100);
        assert!(end.text.ends_with("line 29999 ä\n") && end.text.len() <= 100);
        assert_eq!((end.next, end.left_out), (log.bytes(), 0));
        let first = log.part(Some(0), 1000);
        assert_eq!((first.from, first.left_out), (log.from, log.from));
        let on = log.part(Some(first.next), 1000);
        assert_eq!((on.from, on.left_out), (first.next, 0));
        let mut read = log.part(Some(0), 1000);
        let mut all = read.text.clone();
        while read.next < log.bytes() {
            read = log.part(Some(read.next), 999);
            all.push_str(&read.text);
        }
        assert_eq!(all, log.text);
        assert_eq!(log.part(Some(u64::MAX), 10).text, "");
    }
}
