//! Texts that this browser keeps. Where it keeps nothing, everything goes on without.

use web_sys::Storage;

pub struct Store(Option<Storage>);

impl Store {
    /// For good.
    pub fn lasting() -> Self {
        Self(web_sys::window().and_then(|window| window.local_storage().ok()?))
    }

    /// For as long as the tab lives.
    pub fn of_tab() -> Self {
        Self(web_sys::window().and_then(|window| window.session_storage().ok()?))
    }

    pub fn read(&self, key: &str) -> Option<String> {
        self.0.as_ref()?.get_item(key).ok()?
    }

    /// Keeps a text; an empty one is forgotten.
    pub fn write(&self, key: &str, text: &str) {
        let Some(store) = &self.0 else { return };
        let written = if text.is_empty() { store.remove_item(key) } else { store.set_item(key, text) };
        if let Err(error) = written {
            leptos::logging::warn!("The browser did not keep {key}: {error:?}");
        }
    }
}
