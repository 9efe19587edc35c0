//! The key as it was sent, in the bytes of an answer that nobody has read yet: for who hands them on to
//! somebody that must not see it.

use crate::needle::{INSTEAD, SHORTEST};

pub struct ByteRedactor {
    key: Vec<u8>,
    /// The end of what came, which may be the beginning of the key.
    held: Vec<u8>,
}

impl ByteRedactor {
    pub fn new(key: &str) -> Self {
        let key = if key.len() < SHORTEST { "" } else { key };
        Self { key: key.as_bytes().to_vec(), held: Vec::new() }
    }

    /// The same bytes without the key, also where it is cut in two.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.key.is_empty() {
            return bytes.to_vec();
        }
        self.held.extend_from_slice(bytes);
        let mut clean = Vec::with_capacity(self.held.len());
        let mut rest = self.held.as_slice();
        while let Some(at) = find(rest, &self.key) {
            clean.extend_from_slice(&rest[..at]);
            clean.extend_from_slice(INSTEAD.as_bytes());
            rest = &rest[at + self.key.len()..];
        }
        let keep = overlap(rest, &self.key);
        clean.extend_from_slice(&rest[..rest.len() - keep]);
        self.held = rest[rest.len() - keep..].to_vec();
        clean
    }

    /// What was held back, at the end.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

fn find(text: &[u8], key: &[u8]) -> Option<usize> {
    text.windows(key.len()).position(|window| window == key)
}

/// How much of the text's end is the beginning of the key.
fn overlap(text: &[u8], key: &[u8]) -> usize {
    (1..key.len().min(text.len() + 1)).rev().find(|&length| text.ends_with(&key[..length])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-sk-abcdefgh";

    fn redacted(parts: &[&str], key: &str) -> String {
        let mut redactor = ByteRedactor::new(key);
        let mut all: Vec<u8> = parts.iter().flat_map(|part| redactor.push(part.as_bytes())).collect();
        all.extend(redactor.finish());
        String::from_utf8(all).expect("only whole words are replaced")
    }

    #[test]
    fn a_key_is_taken_out_wherever_it_is_cut() {
        let text = format!("a sk- {KEY}sk-sk-sk-abcdefgh{KEY} sk-sk-abc\u{e4}");
        let expected = "a sk- [key]sk-[key][key] sk-sk-abc\u{e4}";
        for first in 0..=text.len() {
            for second in first..=text.len() {
                if text.is_char_boundary(first) && text.is_char_boundary(second) {
                    let parts = [&text[..first], &text[first..second], &text[second..]];
                    assert_eq!(redacted(&parts, KEY), expected, "{first} {second}");
                }
            }
        }
    }

    #[test]
    fn a_word_that_is_no_key_stays() {
        assert_eq!(redacted(&["none of it, ", "none"], "none"), "none of it, none");
    }
}
