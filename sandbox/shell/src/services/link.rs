//! Links out of a page: where they lead, in plain words, and opening one outside.

use leptos::prelude::window;
use web_sys::Url;

/// An address of the web.
pub(crate) struct Address {
    pub host: String,
    pub href: String,
}

/// Reads an address as the browser does. One that carries a name or password is none: they are there
/// to make a host look like another.
pub(crate) fn read(url: &str) -> Option<Address> {
    let url = Url::new(url).ok()?;
    let is_web = matches!(url.protocol().as_str(), "https:" | "http:");
    let is_plain = url.username().is_empty() && url.password().is_empty();
    (is_web && is_plain && !url.host().is_empty()).then(|| Address { host: url.host(), href: url.href() })
}

/// Opens it in a tab that knows nothing of this one. A browser may want a press for that.
pub(crate) fn open(url: &str) -> bool {
    let Some(Address { href, .. }) = read(url) else { return false };
    // With `noopener` no answer tells whether there is a tab.
    window().open_with_url_and_target_and_features(&href, "_blank", "noopener,noreferrer").is_ok()
}
