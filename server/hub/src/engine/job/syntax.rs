//! Texts of data whose syntax is checked.

use serde::{Deserialize, Serialize};

/// Texts that are to be in order, each in its format.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SyntaxCheck {
    pub(crate) texts: Vec<(DataFormat, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) enum DataFormat {
    Json,
    Yaml,
    Toml,
}

/// Where a text is not in order. Lines and columns count from 1.
#[derive(Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct SyntaxFault {
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) message: String,
}
