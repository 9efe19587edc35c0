//! Names that are looked for in code.

use serde::{Deserialize, Serialize};

/// Code in which names are looked for.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SymbolSearch {
    pub(crate) texts: Vec<(CodeLanguage, String)>,
    pub(crate) wanted: SymbolsWanted,
    /// Places that are told at most, the first ones.
    pub(crate) most: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum CodeLanguage {
    /// And C++.
    C,
    Go,
    Java,
    /// And TypeScript.
    JavaScript,
    Python,
    Rust,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum SymbolsWanted {
    /// All that is defined.
    Outline,
    /// Where this name is defined.
    Definitions(String),
    /// Where it stands, its definitions among them.
    References(String),
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct FoundSymbols {
    pub(crate) places: Vec<SymbolPlace>,
    pub(crate) more: bool,
}

/// Where a name stands. Lines and columns count from 1.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct SymbolPlace {
    /// Which of the texts.
    pub(crate) text: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// What is defined there: its kind and its name. None: it is only named.
    pub(crate) defines: Option<String>,
    /// The last line of what is defined.
    pub(crate) to: u32,
    /// How its line begins.
    pub(crate) shown: String,
}
