//! A file that another product exported, read as a whole: whose it is, and its conversations as far as they can be
//! read. Nothing in it is believed, and what is odd is left out and counted.

use super::conversation::Conversation;
use super::split::elements;
use super::{chatgpt, claude, librechat, open_webui, vivarium};
use crate::error::{Error, Result};
use crate::nodes;
use crate::zip::{LARGEST_ARCHIVE, unpack_wanted};
use protocol::import::ImportSource;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// Largest file, in bytes.
pub const LARGEST_IMPORT: usize = LARGEST_ARCHIVE;
/// What is read of an archive, unpacked, in bytes.
const UNPACKED: u64 = 64 * 1024 * 1024;
/// Conversations that are read: as many as an agent has.
const CONVERSATIONS: usize = 5_000;
/// Values and names in one conversation: each takes far more room than it has as text.
const VALUES: usize = 600_000;

/// What an archive begins with.
const ZIP: &[u8] = b"PK";

#[derive(Debug)]
pub(super) struct Export {
    pub(super) source: ImportSource,
    /// Each has an id, and something was said in it.
    pub(super) conversations: Vec<Conversation>,
    /// A sentence each.
    pub(super) notices: Vec<String>,
}

/// What is no conversation that can be brought in, counted.
#[derive(Debug, Default)]
struct Passed {
    empty: usize,
    twice: usize,
    unreadable: usize,
    large: usize,
    others: usize,
    more: usize,
    is_cut: bool,
}

impl Export {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        if bytes.len() > LARGEST_IMPORT {
            return Err(Error::Limit("The file is larger than 20 MB.".to_owned()));
        }
        let texts: Vec<Vec<u8>> = if bytes.starts_with(ZIP) {
            unpack_wanted(bytes, UNPACKED, is_conversations)?.into_values().collect()
        } else {
            vec![bytes.to_vec()]
        };
        if texts.is_empty() {
            return Err(Error::invalid(
                "The archive has no conversations.json. Choose the file that the product exported.",
            ));
        }
        Self::of_texts(&texts)
    }

    /// The same of what was unpacked before.
    pub(super) fn of_texts(texts: &[Vec<u8>]) -> Result<Self> {
        let (mut source, mut conversations, mut passed) = (None, Vec::new(), Passed::default());
        let mut known = HashSet::new();
        for text in texts {
            let Some(elements) = elements(text, CONVERSATIONS - conversations.len()) else {
                return Err(Error::invalid(
                    "The file is no JSON. Choose the file that the product exported.",
                ));
            };
            passed.more += elements.more;
            passed.is_cut |= elements.is_cut;
            for element in elements.whole {
                let read = match read(element) {
                    Ok(read) => read,
                    Err(Unread::Large) => {
                        passed.large += 1;
                        continue;
                    }
                    Err(Unread::Unknown) => {
                        passed.unreadable += 1;
                        continue;
                    }
                };
                let (from, mut conversation) = read;
                if *source.get_or_insert(from) != from {
                    passed.others += 1;
                } else if conversation.turns.is_empty() {
                    passed.empty += 1;
                } else {
                    if conversation.id.is_empty() {
                        conversation.id = id_of(&conversation);
                    }
                    if known.insert(conversation.id.clone()) {
                        conversations.push(conversation);
                    } else {
                        passed.twice += 1;
                    }
                }
            }
        }
        let Some(source) = source else {
            return Err(Error::invalid(match passed.large {
                0 => {
                    "The file has no conversation that can be read. It may be an export of ChatGPT, Claude, Open WebUI, LibreChat or Vivarium."
                }
                _ => "The conversations of the file have more parts than are read.",
            }));
        };
        Ok(Self { source, conversations, notices: passed.sentences() })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unread {
    Large,
    Unknown,
}

fn read(json: &[u8]) -> std::result::Result<(ImportSource, Conversation), Unread> {
    // It is read without being made into values first, and each of its entries for itself.
    if vivarium::fits(json) {
        return vivarium::read(json).map(|read| (ImportSource::Vivarium, read)).ok_or(Unread::Unknown);
    }
    if nodes::count(json) > VALUES {
        return Err(Unread::Large);
    }
    match serde_json::from_slice::<Value>(json) {
        Ok(value) if chatgpt::fits(&value) => Ok((ImportSource::ChatGpt, chatgpt::read(&value))),
        Ok(value) if claude::fits(&value) => Ok((ImportSource::Claude, claude::read(&value))),
        Ok(value) if open_webui::fits(&value) => Ok((ImportSource::OpenWebUi, open_webui::read(&value))),
        Ok(value) if librechat::fits(&value) => Ok((ImportSource::LibreChat, librechat::read(json))),
        Ok(_) => Err(Unread::Unknown),
        // The parser counts how deep it is, and reads no further than that.
        Err(_) => match librechat::head(json) {
            Some(head) if librechat::fits(&head) => Ok((ImportSource::LibreChat, librechat::read(json))),
            Some(_) | None => Err(Unread::Unknown),
        },
    }
}

/// ChatGPT divides many conversations among files with numbers.
fn is_conversations(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let number = name.strip_prefix("conversations").and_then(|rest| rest.strip_suffix(".json"));
    number.is_some_and(|number| {
        number.is_empty()
            || number
                .strip_prefix('-')
                .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
    })
}

/// By what was said in it.
fn id_of(conversation: &Conversation) -> String {
    let mut digest = Sha256::new();
    for turn in &conversation.turns {
        digest.update(turn.text.len().to_le_bytes());
        digest.update(&turn.text);
    }
    let mut id = String::new();
    for byte in digest.finalize() {
        id.push_str(&format!("{byte:02x}"));
    }
    id
}

impl Passed {
    fn sentences(&self) -> Vec<String> {
        let counted = [
            (
                self.empty,
                "conversation has nothing",
                "conversations have nothing",
                "in it that can be brought in.",
            ),
            (
                self.twice,
                "conversation is",
                "conversations are",
                "in the file more than once, and taken once.",
            ),
            (self.unreadable, "part of the file", "parts of the file", "could not be read."),
            (self.large, "conversation has", "conversations have", "more parts than are read."),
            (
                self.others,
                "conversation is",
                "conversations are",
                "of another product. Each needs a file of its own.",
            ),
            (self.more, "conversation stands", "conversations stand", "behind the 5,000 that are read."),
        ];
        let sentence = |(count, one, more, rest): (usize, &str, &str, &str)| match count {
            0 => None,
            1 => Some(format!("1 {one} {rest}")),
            _ => Some(format!("{count} {more} {rest}")),
        };
        let cut = "The file breaks off. What stands before that was read.";
        counted.into_iter().filter_map(sentence).chain(self.is_cut.then(|| cut.to_owned())).collect()
    }
}

#[cfg(test)]
mod tests;
