//! What this browser keeps for an agent: layout for good, words not yet sent for as long as the tab
//! lives. Where a browser keeps nothing, or there is none, everything goes on without.

use protocol::AgentId;

/// What is kept, and with it how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    View,
    Split,
    Draft,
    Outbox,
}

#[cfg(feature = "hydrate")]
pub fn read(kept: Kept, agent: &AgentId) -> Option<String> {
    store(kept)?.get_item(&key(kept, agent)).ok()?
}

/// Keeps a text; an empty one is forgotten.
#[cfg(feature = "hydrate")]
pub fn write(kept: Kept, agent: &AgentId, text: &str) {
    let Some(store) = store(kept) else { return };
    let key = key(kept, agent);
    let written = if text.is_empty() { store.remove_item(&key) } else { store.set_item(&key, text) };
    if let Err(error) = written {
        leptos::logging::warn!("The browser did not keep {key}: {error:?}");
    }
}

#[cfg(not(feature = "hydrate"))]
pub fn write(_kept: Kept, _agent: &AgentId, _text: &str) {}

#[cfg(feature = "hydrate")]
fn store(kept: Kept) -> Option<web_sys::Storage> {
    let window = web_sys::window()?;
    match kept {
        Kept::View | Kept::Split => window.local_storage().ok()?,
        Kept::Draft | Kept::Outbox => window.session_storage().ok()?,
    }
}

#[cfg(feature = "hydrate")]
fn key(kept: Kept, agent: &AgentId) -> String {
    let name = match kept {
        Kept::View => "view",
        Kept::Split => "split",
        Kept::Draft => "draft",
        Kept::Outbox => "outbox",
    };
    format!("vivarium.{name}.{agent}")
}
