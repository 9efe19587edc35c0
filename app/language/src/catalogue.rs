//! What a language has for each text of the interface.

use protocol::Language;
use serde::Deserialize;
use std::collections::HashMap;

/// Not a catalogue.
#[derive(Debug)]
pub struct Malformed;

/// A JSON object: the English text, and what it is in this language.
#[derive(Debug)]
pub(crate) struct Catalogue {
    language: Language,
    entries: HashMap<String, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    /// By the plural categories of Unicode's CLDR, as far as the languages here have them.
    Plural {
        one: String,
        other: String,
    },
}

impl Catalogue {
    pub(crate) fn read(language: Language, json: &str) -> Result<Self, Malformed> {
        serde_json::from_str(json).map(|entries| Self { language, entries }).map_err(|_| Malformed)
    }

    pub(crate) fn text(&self, english: &str) -> Option<&str> {
        match self.entries.get(english)? {
            Entry::Text(text) => Some(text),
            Entry::Plural { other, .. } => Some(other),
        }
    }

    pub(crate) fn for_count(&self, english: &str, count: u64) -> Option<&str> {
        match (self.entries.get(english)?, self.language) {
            (Entry::Text(text), _) => Some(text),
            (Entry::Plural { one, .. }, Language::English | Language::German) if count == 1 => Some(one),
            (Entry::Plural { other, .. }, _) => Some(other),
        }
    }
}
