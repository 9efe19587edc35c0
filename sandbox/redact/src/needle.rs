//! What is looked for in what a provider says: its key, parts of it, and the key as texts within texts
//! spell it.

use serde_json::Value;
use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};
use zeroize::Zeroizing;

pub(super) const INSTEAD: &str = "[key]";

/// Shorter ones are no keys but words that people enter where a server of their own wants any.
pub(super) const SHORTEST: usize = 12;

/// So much of a key in one piece is hidden as the whole one is: a message that is cut short may end
/// within it. Below that are words with which all keys of a provider begin.
const FRAGMENT: usize = 16;

/// Whether more of a text may come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Here,
    Unknown,
}

/// Every spelling of one key, the longest first.
pub struct Needles(Vec<Zeroizing<String>>);

impl Needles {
    /// `None` if there is nothing that is worth hiding.
    pub fn of(key: &str) -> Option<Self> {
        if key.len() < SHORTEST {
            return None;
        }
        // Keys of Bedrock are two or three texts, of which one is sent by itself.
        let parts = key.split(':').filter(|part| part.len() >= SHORTEST);
        let mut spellings: Vec<String> = [key].into_iter().chain(parts).flat_map(spellings).collect();
        spellings.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        spellings.dedup();
        Some(Self(spellings.into_iter().map(Zeroizing::new).collect()))
    }

    /// The text without the key, and without pieces of it.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        without(text, &self.pieces(text, End::Here).0)
    }

    /// Takes from the front of a text that goes on all that cannot be the beginning of a piece of the
    /// key any more, and hides the key in it. What stays is shorter than the key.
    pub(super) fn take(&self, text: &mut String) -> String {
        let (pieces, end) = self.pieces(text, End::Unknown);
        let rest = text.split_off(end);
        let said = std::mem::replace(text, rest);
        if pieces.is_empty() { said } else { without(&said, &pieces).into_owned() }
    }

    /// Where pieces of the key are, from left to right, and up to where that is certain.
    fn pieces(&self, text: &str, end: End) -> (Vec<Range<usize>>, usize) {
        if !self.each().any(|needle| may_have_piece(text.as_bytes(), needle.as_bytes())) {
            let certain = match end {
                End::Here => text.len(),
                End::Unknown => self.certain(text),
            };
            return (Vec::new(), certain);
        }
        let (mut pieces, mut at) = (Vec::new(), 0);
        while at < text.len() {
            let rest = &text[at..];
            if end == End::Unknown && self.each().any(|needle| may_go_on(rest, needle.as_bytes())) {
                return (pieces, at);
            }
            let piece = self.each().map(|needle| longest_piece(rest, needle.as_bytes())).max().unwrap_or(0);
            if piece > 0 {
                pieces.push(at..at + piece);
            }
            at = if piece > 0 { at + piece } else { text.ceil_char_boundary(at + 1) };
        }
        (pieces, at)
    }

    /// Up to where a text without a piece is not the beginning of one either.
    fn certain(&self, text: &str) -> usize {
        let tail = self.each().map(|needle| tail(text.as_bytes(), needle.as_bytes())).max().unwrap_or(0);
        let mut at = text.ceil_char_boundary(text.len() - tail);
        while at < text.len() && !self.each().any(|needle| may_go_on(&text[at..], needle.as_bytes())) {
            at = text.ceil_char_boundary(at + 1);
        }
        at
    }

    #[cfg(test)]
    pub(super) fn longest(&self) -> usize {
        self.each().map(str::len).max().unwrap_or(0)
    }

    /// Hides it in every string and name of the value, and says whether there was one.
    pub fn hide_in(&self, value: &mut Value) -> bool {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
            Value::String(text) => match self.hide(text) {
                Cow::Borrowed(_) => false,
                Cow::Owned(clean) => {
                    *text = clean;
                    true
                }
            },
            Value::Array(list) => list.iter_mut().fold(false, |found, item| self.hide_in(item) | found),
            Value::Object(object) => {
                let found = object.values_mut().fold(false, |found, item| self.hide_in(item) | found);
                if object.keys().all(|name| matches!(self.hide(name), Cow::Borrowed(_))) {
                    return found;
                }
                let members = std::mem::take(object).into_iter();
                *object = members.map(|(name, item)| (self.hide(&name).into_owned(), item)).collect();
                true
            }
        }
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|spelling| spelling.as_str())
    }
}

/// As it is, within JSON (with and without the slash that some servers escape), and within an address.
fn spellings(key: &str) -> [String; 4] {
    let json = key.replace('\\', "\\\\").replace('"', "\\\"");
    let address: String = form_urlencoded::byte_serialize(key.as_bytes()).collect();
    [key.to_owned(), json.replace('/', "\\/"), json, address]
}

/// So much of this one is hidden wherever it is.
fn shortest(needle: &[u8]) -> usize {
    needle.len().min(FRAGMENT)
}

/// Any piece that is hidden holds one of half that length whole, wherever it begins.
fn may_have_piece(text: &[u8], needle: &[u8]) -> bool {
    let half = shortest(needle) / 2;
    text.chunks_exact(half)
        .any(|chunk| needle.windows(half).any(|piece| piece[0] == chunk[0] && piece == chunk))
}

/// Length of the longest end of the text that is anywhere in the needle.
fn tail(text: &[u8], needle: &[u8]) -> usize {
    let is_within = |length: &usize| {
        let tail = &text[text.len() - length..];
        needle.windows(*length).any(|piece| piece[0] == tail[0] && piece == tail)
    };
    (1..=text.len().min(needle.len())).take_while(is_within).last().unwrap_or(0)
}

/// Length of the longest piece of the needle that is hidden and with which the text begins, or 0.
fn longest_piece(text: &str, needle: &[u8]) -> usize {
    let shortest = shortest(needle);
    if text.len() < shortest {
        return 0;
    }
    let lengths = places(needle).map(|from| shared(&needle[from..], text));
    let longest = lengths.filter(|length| *length >= shortest).max().unwrap_or(0);
    text.floor_char_boundary(longest)
}

/// Whether all of the text is a piece of the needle after which the needle goes on.
fn may_go_on(text: &str, needle: &[u8]) -> bool {
    places(needle).any(|from| {
        let shared = shared(&needle[from..], text);
        shared == text.len() && from + shared < needle.len()
    })
}

/// Where in the needle a piece that is hidden can begin.
fn places(needle: &[u8]) -> RangeInclusive<usize> {
    0..=needle.len() - shortest(needle)
}

/// With how much of the needle the text begins.
fn shared(needle: &[u8], text: &str) -> usize {
    needle.iter().zip(text.as_bytes()).take_while(|(ours, theirs)| ours == theirs).count()
}

fn without<'a>(text: &'a str, pieces: &[Range<usize>]) -> Cow<'a, str> {
    if pieces.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut clean = String::new();
    let mut kept = 0;
    for piece in pieces {
        clean.push_str(&text[kept..piece.start]);
        clean.push_str(INSTEAD);
        kept = piece.end;
    }
    Cow::Owned(clean + &text[kept..])
}
