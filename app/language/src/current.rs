//! Which language is spoken.

use crate::catalogue::Catalogue;
#[cfg(not(feature = "ssr"))]
use crate::catalogue::Malformed;
use protocol::Language;
use std::sync::OnceLock;

#[cfg(feature = "ssr")]
const GERMAN: &str = include_str!("../../public/languages/de.json");

/// The language of whoever is answered, as the request's context has it.
#[cfg(feature = "ssr")]
pub fn current() -> Language {
    leptos::prelude::use_context().unwrap_or_default()
}

#[cfg(feature = "ssr")]
pub(crate) fn catalogue() -> Option<&'static Catalogue> {
    static READ: OnceLock<Catalogue> = OnceLock::new();
    match current() {
        Language::English => None,
        Language::German => {
            Some(READ.get_or_init(|| {
                Catalogue::read(Language::German, GERMAN).expect("a test reads the catalogues")
            }))
        }
    }
}

#[cfg(not(feature = "ssr"))]
static SPOKEN: OnceLock<(Language, Catalogue)> = OnceLock::new();

/// The language of the document.
#[cfg(not(feature = "ssr"))]
pub fn current() -> Language {
    SPOKEN.get().map(|(language, _)| *language).unwrap_or_default()
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn catalogue() -> Option<&'static Catalogue> {
    SPOKEN.get().map(|(_, catalogue)| catalogue)
}

/// Speaks this language from now on, with the catalogue that the hub gave as JSON. Comes before anything is drawn.
#[cfg(not(feature = "ssr"))]
pub fn speak(language: Language, json: &str) -> Result<(), Malformed> {
    let catalogue = Catalogue::read(language, json)?;
    SPOKEN.set((language, catalogue)).map_err(|_| Malformed)
}
