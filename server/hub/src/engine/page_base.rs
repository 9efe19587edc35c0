//! What the addresses in a page are relative to.

use dom_query::Document;
use url::Url;

pub(super) struct Base(Option<Url>);

impl Base {
    /// Of a page that came from `url`: what it says itself, or this.
    pub(super) fn of(document: &Document, url: &str) -> Self {
        let own = Url::parse(url).ok();
        let said = document.select("base[href]").first().attr("href");
        let joined = said.and_then(|href| own.as_ref()?.join(href.trim()).ok());
        Self(joined.or(own))
    }

    /// The whole address, if it is one of the web.
    pub(super) fn address(&self, href: &str) -> Option<String> {
        let url = self.0.as_ref()?.join(href.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.into())
    }
}
