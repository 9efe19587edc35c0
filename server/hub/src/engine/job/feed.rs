//! Feeds that are read.

use serde::{Deserialize, Serialize};

/// A feed as it came.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FeedFile {
    /// Base64 with padding.
    pub(crate) bytes: String,
    /// Where it is, for links that are not whole.
    pub(crate) url: String,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FeedEntries {
    /// Empty: it has none.
    pub(crate) title: String,
    /// As the feed has them, which is mostly the newest first.
    pub(crate) entries: Vec<FeedEntry>,
}

/// One entry in a few words. What is not there is empty.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct FeedEntry {
    /// By which it is known again.
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) link: String,
    pub(crate) date: String,
    /// How it begins.
    pub(crate) text: String,
}
