//! What this browser keeps: the layout of an agent's page for good, and what a person wrote and did not send until they
//! sign out. Where a browser keeps nothing, or there is none, everything goes on without.

use crate::browser::storage::Store;
use protocol::{AgentId, ConversationId, UserId};

/// How an agent's page is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageKey {
    View,
    Split,
}

pub fn read(kept: StorageKey, agent: &AgentId) -> Option<String> {
    Store::lasting().read(&name(kept, agent))
}

/// Keeps a text; an empty one is forgotten.
pub fn write(kept: StorageKey, agent: &AgentId, text: &str) {
    Store::lasting().write(&name(kept, agent), text);
}

/// What is being written in a conversation.
pub fn read_written(person: &UserId, conversation: &ConversationId) -> Option<String> {
    Store::of_person(person).read(&name_of_written(conversation))
}

/// Keeps a text; an empty one is forgotten.
pub fn write_written(person: &UserId, conversation: &ConversationId, text: &str) {
    Store::of_person(person).write(&name_of_written(conversation), text);
}

fn name(kept: StorageKey, agent: &AgentId) -> String {
    let name = match kept {
        StorageKey::View => "view",
        StorageKey::Split => "split",
    };
    format!("{name}.{agent}")
}

fn name_of_written(conversation: &ConversationId) -> String {
    format!("draft.{conversation}")
}
