//! What this browser keeps: the layout of an agent's page for good, words not yet sent in a conversation for as
//! long as the tab lives. Where a browser keeps nothing, or there is none, everything goes on without.

use crate::browser::storage::Store;
/// What is kept, and with it how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageKey {
    View,
    Split,
    Draft,
    Outbox,
    Attached,
}

/// `of` is the id of the agent or of the conversation.
pub fn read(kept: StorageKey, of: &str) -> Option<String> {
    store(kept).read(&key(kept, of))
}

/// Keeps a text; an empty one is forgotten.
pub fn write(kept: StorageKey, of: &str, text: &str) {
    store(kept).write(&key(kept, of), text);
}

fn store(kept: StorageKey) -> Store {
    match kept {
        StorageKey::View | StorageKey::Split => Store::lasting(),
        StorageKey::Draft | StorageKey::Outbox | StorageKey::Attached => Store::of_tab(),
    }
}

fn key(kept: StorageKey, of: &str) -> String {
    let name = match kept {
        StorageKey::View => "view",
        StorageKey::Split => "split",
        StorageKey::Draft => "draft",
        StorageKey::Outbox => "outbox",
        StorageKey::Attached => "attached",
    };
    format!("vivarium.{name}.{of}")
}
