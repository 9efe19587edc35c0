//! What a command says: its beginning and its end, as text that shows nothing but what it says.

use agent::context::RESULT_CHARS;
use std::iter::Peekable;
use std::str::Chars;

/// Bytes of the beginning, and of the end: as they stand in a result, they reach a model whole.
pub(crate) const HEAD: usize = 2_000;
const TAIL: usize = 4_400;
/// Bytes of an output that are told besides, for whoever wants to read what is between.
const WHOLE: usize = 40 * 1024;
/// Bytes of an output that become a file, if it has more than are told.
const FILED: usize = 2 * 1024 * 1024;
const _: () = assert!(HEAD + TAIL + 1_500 < RESULT_CHARS, "there is room for what is told besides");

/// What is kept of an output.
#[derive(Debug)]
pub(super) struct Kept {
    /// Bytes of the beginning that are kept.
    most: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Bytes between them.
    left_out: u64,
    filed: Vec<u8>,
    /// Whether it said more than that.
    is_cut: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) text: String,
    /// Bytes in the middle that are not in it.
    pub(crate) left_out: u64,
    /// The first 40 KB of all, if some are left out of the text.
    pub(crate) whole: Option<String>,
    /// What is to be kept as a file, if that is more.
    pub(crate) filed: Option<Filed>,
}

/// The beginning of a long output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Filed {
    pub(crate) text: String,
    /// Whether it is all that was said.
    pub(crate) is_all: bool,
}

impl Kept {
    pub(super) fn new(most: usize) -> Self {
        Self { most, head: Vec::new(), tail: Vec::new(), left_out: 0, filed: Vec::new(), is_cut: false }
    }

    pub(super) fn take(&mut self, part: &[u8]) {
        let of_file = part.len().min(FILED - self.filed.len());
        self.filed.extend_from_slice(&part[..of_file]);
        self.is_cut |= of_file < part.len();
        let of_head = part.len().min(self.most - self.head.len());
        let (head, rest) = part.split_at(of_head);
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * TAIL {
            let surplus = self.tail.len() - TAIL;
            self.tail.drain(..surplus);
            self.left_out += surplus as u64;
        }
    }

    pub(super) fn output(mut self) -> Output {
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        let (head, tail) = (plain(&self.head), plain(&self.tail));
        let (head_end, tail_start) = (end_within(&head, self.most), start_within(&tail, TAIL));
        let left_out = self.left_out + (surplus + head.len() - head_end + tail_start) as u64;
        let (head, tail) = (&head[..head_end], &tail[tail_start..]);
        let text = match left_out {
            0 => format!("{head}{tail}"),
            left_out => format!("{head}\n\n[{left_out} bytes are left out here]\n\n{tail}"),
        };
        let whole = (left_out > 0).then(|| plain(&self.filed[..WHOLE.min(self.filed.len())]));
        let filed = (left_out > 0 && self.filed.len() > WHOLE)
            .then(|| Filed { text: plain(&self.filed), is_all: !self.is_cut });
        Output { text, left_out, whole, filed }
    }
}

/// Where the beginning ends that has so many bytes as JSON.
fn end_within(text: &str, most: usize) -> usize {
    let mut size = 0;
    let fits = |character: &char| {
        size += size_of_character(*character);
        size <= most
    };
    text.chars().take_while(fits).map(char::len_utf8).sum()
}

/// Where the end begins that has so many bytes as JSON.
fn start_within(text: &str, most: usize) -> usize {
    let mut size = 0;
    let fits = |character: &char| {
        size += size_of_character(*character);
        size <= most
    };
    text.len() - text.chars().rev().take_while(fits).map(char::len_utf8).sum::<usize>()
}

pub(super) fn size_of_character(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\t' => 2,
        character => character.len_utf8(),
    }
}

/// Without what terminals act on, and with marks for what is no text.
pub(crate) fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => plain.push(character),
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            '\u{1b}' => skip_sequence(&mut characters),
            character if character.is_control() => plain.push('\u{fffd}'),
            character => plain.push(character),
        }
    }
    plain
}

/// The rest of what an escape begins: ECMA-48, 5.4 for control sequences, 5.6 for strings.
fn skip_sequence(characters: &mut Peekable<Chars<'_>>) {
    match characters.next_if(|next| *next != '\n') {
        Some('[') => {
            while characters.next_if(|next| matches!(next, '\u{20}'..='\u{3f}')).is_some() {}
            characters.next_if(|next| matches!(next, '\u{40}'..='\u{7e}'));
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            while let Some(next) = characters.next_if(|next| *next != '\n') {
                let is_end = next == '\u{7}' || next == '\u{1b}' && characters.next_if_eq(&'\\').is_some();
                if is_end {
                    return;
                }
            }
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_shows_what_it_says_and_nothing_acts() {
        for (said, shown) in [
            ("a\tb\r\nc\n", "a\tb\nc\n"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]52;c;aGk=\u{7}kept", "kept"),
            ("10 %\r20 %", "10 %\n20 %"),
            ("a\u{8}\u{0}b", "a\u{fffd}\u{fffd}b"),
            ("\u{1b}]0;title\nline", "\nline"),
            ("\u{1b}", ""),
        ] {
            assert_eq!(plain(said.as_bytes()), shown, "{said:?}");
        }
        assert_eq!(plain(&[b'a', 0xff, b'b']), "a\u{fffd}b");
    }

    #[test]
    fn of_a_long_output_its_beginning_and_end_are_kept() {
        let mut kept = Kept::new(HEAD);
        let said: Vec<u8> = (0..200_000).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        said.chunks(64 * 1024).for_each(|part| kept.take(part));
        let Output { text, left_out, whole, filed } = kept.output();
        assert!(whole.unwrap().starts_with("0\n1\n2\n"));
        let filed = filed.unwrap();
        assert!(filed.is_all && filed.text.as_bytes() == said);
        assert!(text.starts_with("0\n1\n2\n") && text.ends_with("199998\n199999\n"));
        let (head, tail) = text.split_once(&format!("\n\n[{left_out} bytes are left out here]\n\n")).unwrap();
        assert_eq!(head.len() + tail.len() + usize::try_from(left_out).unwrap(), said.len());
        let told = serde_json::to_string(&text).unwrap().len();
        assert!((HEAD + TAIL..HEAD + TAIL + 100).contains(&told), "{told}");
        let mut short = Kept::new(HEAD);
        short.take(b"short");
        assert_eq!(short.output(), Output { text: "short".to_owned(), ..Output::default() });
        let mut endless = Kept::new(HEAD);
        (0..40).for_each(|_| endless.take(&[b'a'; 64 * 1024]));
        let filed = endless.output().filed.unwrap();
        assert!(!filed.is_all && filed.text.len() == FILED);
    }
}
