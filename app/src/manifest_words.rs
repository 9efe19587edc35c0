//! What people read of the manifest, by which their device lists the installed app. A browser asks for it without saying
//! for whom, so the address names the language.

use crate::prelude::*;

#[derive(Clone, Copy, Debug)]
pub struct ManifestWords {
    pub description: &'static str,
    /// Of its shortcuts, in their order.
    pub shortcuts: [&'static str; 3],
}

pub fn manifest_words(language: Language) -> ManifestWords {
    Owner::new().with(|| {
        provide_context(language);
        ManifestWords {
            description: t("A home for AI agents that live in web pages."),
            shortcuts: [t("New agent"), t("Search"), t("Notifications")],
        }
    })
}
