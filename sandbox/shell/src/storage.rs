//! Texts that this browser keeps. Where it keeps nothing, everything goes on without.

use protocol::UserId;
use std::cell::Cell;
use web_sys::Storage;

/// Begins the names of what is a person's own.
const OWN: &str = "vivarium.own.";

thread_local! {
    /// The person has left: what the page still does is kept no longer.
    static IS_LEFT: Cell<bool> = const { Cell::new(false) };
}

pub struct Store {
    storage: Option<Storage>,
    /// Begins all names of it.
    begin: String,
}

impl Store {
    /// For good, whoever is signed in.
    pub fn lasting() -> Self {
        Self { storage: storage(), begin: "vivarium.".to_owned() }
    }

    /// Until the person signs out on this device.
    pub fn of_person(person: &UserId) -> Self {
        let storage = if IS_LEFT.get() { None } else { storage() };
        Self { storage, begin: format!("{OWN}{person}.") }
    }

    pub fn read(&self, name: &str) -> Option<String> {
        self.storage.as_ref()?.get_item(&self.full(name)).ok()?
    }

    /// Keeps a text; an empty one is forgotten.
    pub fn write(&self, name: &str, text: &str) {
        let Some(storage) = &self.storage else { return };
        let name = self.full(name);
        let written =
            if text.is_empty() { storage.remove_item(&name) } else { storage.set_item(&name, text) };
        if let Err(error) = written {
            leptos::logging::warn!("The browser did not keep {name}: {error:?}");
        }
    }

    /// The names that begin so.
    pub fn names(&self, begin: &str) -> Vec<String> {
        let begin = self.full(begin);
        let names = self.storage.as_ref().map(all_names).unwrap_or_default();
        let own = names.iter().filter(|name| name.starts_with(&begin));
        own.filter_map(|name| name.strip_prefix(&self.begin)).map(str::to_owned).collect()
    }

    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.begin)
    }
}

/// Forgets what is anybody's own: the person signs out, here or from elsewhere.
pub fn forget_own() {
    IS_LEFT.set(true);
    let Some(storage) = storage() else { return };
    for name in all_names(&storage).into_iter().filter(|name| name.starts_with(OWN)) {
        if let Err(error) = storage.remove_item(&name) {
            leptos::logging::warn!("The browser did not forget {name}: {error:?}");
        }
    }
}

fn storage() -> Option<Storage> {
    web_sys::window().and_then(|window| window.local_storage().ok()?)
}

fn all_names(storage: &Storage) -> Vec<String> {
    let count = storage.length().unwrap_or_default();
    (0..count).filter_map(|place| storage.key(place).ok().flatten()).collect()
}
