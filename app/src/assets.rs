//! Where the files are that pages load: under a prefix that each build has of its own.

use crate::prelude::*;

/// The address of a file of this build; `path` begins with a slash.
#[cfg(feature = "ssr")]
pub fn asset(path: &str) -> String {
    let crate::context::AssetPrefix(prefix) = use_context().unwrap_or_default();
    format!("{prefix}{path}")
}

/// The document says the prefix of the build that it is of.
#[cfg(not(feature = "ssr"))]
pub fn asset(path: &str) -> String {
    let prefix = document().document_element().and_then(|root| root.get_attribute("data-assets"));
    format!("{}{path}", prefix.unwrap_or_default())
}
