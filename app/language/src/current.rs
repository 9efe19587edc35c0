//! Which language is spoken.

use crate::catalogue::Catalogue;
#[cfg(not(feature = "ssr"))]
use crate::catalogue::Malformed;
use crate::sentence::Sentences;
use protocol::Language;
use std::sync::OnceLock;

#[cfg(feature = "ssr")]
const GERMAN: &str = include_str!("../../public/languages/de.json");
#[cfg(feature = "ssr")]
const GERMAN_SENTENCES: &str = include_str!("../../public/languages/de.sentences.json");

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

#[cfg(feature = "ssr")]
pub(crate) fn sentences() -> Option<&'static Sentences> {
    sentences_in(current())
}

/// `None` for English.
#[cfg(feature = "ssr")]
pub(crate) fn sentences_in(language: Language) -> Option<&'static Sentences> {
    static READ: OnceLock<Sentences> = OnceLock::new();
    match language {
        Language::English => None,
        Language::German => Some(READ.get_or_init(|| {
            Sentences::read(Language::German, GERMAN_SENTENCES).expect("a test reads the catalogues")
        })),
    }
}

#[cfg(not(feature = "ssr"))]
static SPOKEN: OnceLock<Spoken> = OnceLock::new();

#[cfg(not(feature = "ssr"))]
#[derive(Debug)]
struct Spoken {
    language: Language,
    texts: Catalogue,
    sentences: Sentences,
}

/// The language of the document.
#[cfg(not(feature = "ssr"))]
pub fn current() -> Language {
    SPOKEN.get().map(|spoken| spoken.language).unwrap_or_default()
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn catalogue() -> Option<&'static Catalogue> {
    SPOKEN.get().map(|spoken| &spoken.texts)
}

#[cfg(not(feature = "ssr"))]
pub(crate) fn sentences() -> Option<&'static Sentences> {
    SPOKEN.get().map(|spoken| &spoken.sentences)
}

/// Speaks this language from now on, with the catalogues that the hub gave as JSON: of the texts of pages, and of
/// sentences that come whole. Comes before anything is drawn.
#[cfg(not(feature = "ssr"))]
pub fn speak(language: Language, texts: &str, sentences: &str) -> Result<(), Malformed> {
    let (texts, sentences) = (Catalogue::read(language, texts)?, Sentences::read(language, sentences)?);
    SPOKEN.set(Spoken { language, texts, sentences }).map_err(|_| Malformed)
}
