//! What a document looks like as a whole.

use super::words::Colour;
use serde::{Deserialize, Serialize};

/// Of a DOCX.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    #[serde(default)]
    pub(crate) orientation: Orientation,
    /// A line on each page. `{page}` and `{pages}` in it are its number and how many there are.
    #[serde(default)]
    pub(crate) header: Option<String>,
    #[serde(default)]
    pub(crate) footer: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Orientation {
    #[default]
    Portrait,
    Landscape,
}

/// Of a PPTX.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    #[serde(default)]
    pub(crate) ratio: Ratio,
    #[serde(default)]
    pub(crate) theme: Theme,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) enum Ratio {
    #[default]
    #[serde(rename = "16:9")]
    Wide,
    #[serde(rename = "4:3")]
    Narrow,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Theme {
    #[serde(default)]
    pub(crate) background: Option<Colour>,
    #[serde(default)]
    pub(crate) text: Option<Colour>,
    /// Six at most.
    #[serde(default)]
    pub(crate) accents: Vec<Colour>,
    #[serde(default)]
    pub(crate) heading_font: Option<String>,
    #[serde(default)]
    pub(crate) body_font: Option<String>,
}
