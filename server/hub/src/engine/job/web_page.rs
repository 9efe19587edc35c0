//! Pages of the web that are read.

use serde::{Deserialize, Serialize};

/// A page of the web as it came.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct HtmlPage {
    pub(crate) html: String,
    pub(crate) url: String,
}

/// What it says.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Readable {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    /// As the page has it.
    pub(crate) published: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) markdown: String,
}

/// Where it leads is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct LinksOf(pub(crate) HtmlPage);

/// A link of a page.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PageLink {
    /// Whole, of the web.
    pub(crate) url: String,
    /// Empty: nothing stands there to be read.
    pub(crate) text: String,
}

/// What it says of itself is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct MetadataOf(pub(crate) HtmlPage);

/// What a selector of CSS picks out of it is wanted.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PartOf {
    pub(crate) page: HtmlPage,
    pub(crate) selector: String,
}

/// All that was picked, in the order of the page.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct PagePart {
    pub(crate) title: Option<String>,
    pub(crate) html: String,
    pub(crate) markdown: String,
}
