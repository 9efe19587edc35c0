//! What is looked for in what a provider says: its key, parts of it, and the key as texts within texts
//! spell it.

use crate::vault::Secret;
use serde_json::Value;
use std::borrow::Cow;

const INSTEAD: &str = "[key]";

/// Shorter ones are no keys but words that people enter where a server of their own wants any.
const SHORTEST: usize = 12;

/// So much of a key in one piece is hidden as the whole one is: a message that is cut short may end
/// within it. Below that are words with which all keys of a provider begin.
const FRAGMENT: usize = 16;

/// Every spelling of one key, the longest first.
pub(super) struct Needles(Vec<Secret>);

impl Needles {
    /// `None` if there is nothing that is worth hiding.
    pub(super) fn of(key: Option<&Secret>) -> Option<Self> {
        let key = key.map(Secret::expose).filter(|key| key.len() >= SHORTEST)?;
        // Keys of Bedrock are two or three texts, of which one is sent by itself.
        let parts = key.split(':').filter(|part| part.len() >= SHORTEST);
        let mut spellings: Vec<String> = [key].into_iter().chain(parts).flat_map(spellings).collect();
        spellings.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        spellings.dedup();
        Some(Self(spellings.into_iter().map(Secret::new).collect()))
    }

    /// The text without the key, and without pieces of it.
    pub(super) fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let bytes = text.as_bytes();
        if !self.each().any(|needle| may_have_piece(bytes, needle.as_bytes())) {
            return Cow::Borrowed(text);
        }
        let mut clean = String::new();
        let (mut kept, mut at) = (0, 0);
        while at < bytes.len() {
            let piece = self.each().filter_map(|needle| longest_piece(&bytes[at..], needle.as_bytes())).max();
            let Some(length) = piece else {
                at += 1;
                continue;
            };
            clean.push_str(&text[kept..at]);
            clean.push_str(INSTEAD);
            at += length;
            kept = at;
        }
        if kept == 0 { Cow::Borrowed(text) } else { Cow::Owned(clean + &text[kept..]) }
    }

    /// The text without the key where all of it is there.
    pub(super) fn hide_whole(&self, text: String) -> String {
        self.each().fold(text, |text, needle| match text.contains(needle) {
            true => text.replace(needle, INSTEAD),
            false => text,
        })
    }

    /// Length of the longest end of `text` that a spelling of the key begins with, without being it.
    pub(super) fn overlap(&self, text: &str) -> usize {
        self.each().map(|needle| overlap(text, needle)).max().unwrap_or(0)
    }

    /// Hides it in every string and name of the value, and says whether there was one.
    pub(super) fn hide_in(&self, value: &mut Value) -> bool {
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
        self.0.iter().map(Secret::expose)
    }
}

/// As it is, within JSON (with and without the slash that some servers escape), and within an address.
fn spellings(key: &str) -> [String; 4] {
    let json = key.replace('\\', "\\\\").replace('"', "\\\"");
    let address: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
    [key.to_owned(), json.replace('/', "\\/"), json, address]
}

/// So much of this one is hidden wherever it is.
fn shortest(needle: &[u8]) -> usize {
    needle.len().min(FRAGMENT)
}

/// Any piece that is hidden holds one of half that length whole, wherever it begins.
fn may_have_piece(text: &[u8], needle: &[u8]) -> bool {
    let half = shortest(needle) / 2;
    text.chunks_exact(half).any(|chunk| needle.windows(half).any(|piece| piece == chunk))
}

/// Length of the longest piece of the needle that is hidden and with which the text begins.
fn longest_piece(text: &[u8], needle: &[u8]) -> Option<usize> {
    let shortest = shortest(needle);
    let start = text.get(..shortest)?;
    let places = needle.windows(shortest).enumerate().filter(|(_, piece)| *piece == start);
    places
        .map(|(at, _)| needle[at..].iter().zip(text).take_while(|(ours, theirs)| ours == theirs).count())
        .max()
}

fn overlap(text: &str, needle: &str) -> usize {
    let longest = text.len().min(needle.len() - 1);
    (1..=longest).rev().find(|&length| text.as_bytes().ends_with(&needle.as_bytes()[..length])).unwrap_or(0)
}
