//! The blocks of a text, one below the other.

use super::table::Table;
use super::words::{Align, OfWords, Words};
use crate::engine::job::ChartKind;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Block {
    Heading(Heading),
    Paragraph(Paragraph),
    List(List),
    Table(Table),
    Picture(PicturePart),
    Chart(ChartPart),
    Quote(Quote),
    Code(Code),
    PageBreak(PageBreak),
    Contents(Contents),
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heading {
    pub(crate) text: Words,
    /// From 1 to 6.
    #[serde(default = "first")]
    pub(crate) level: u8,
    #[serde(default)]
    pub(crate) align: Option<Align>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paragraph {
    pub(crate) text: Words,
    #[serde(default)]
    pub(crate) style: Style,
    #[serde(default)]
    pub(crate) align: Option<Align>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    #[default]
    Normal,
    Title,
    Subtitle,
    /// The first words of a text, larger than the others.
    Lead,
    /// What stands in a box.
    Note,
    Caption,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    #[serde(default)]
    pub(crate) ordered: bool,
    pub(crate) items: Vec<Item>,
}

/// Written as a text, a list of runs, or with its level.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Item {
    pub(crate) text: Words,
    /// From 1 on.
    pub(crate) level: u8,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PicturePart {
    pub(crate) path: String,
    /// What it shows, for who does not see it.
    #[serde(default)]
    pub(crate) alt: Option<String>,
    #[serde(default)]
    pub(crate) caption: Option<String>,
    /// Centimetres.
    #[serde(default)]
    pub(crate) width: Option<f64>,
}

/// Of the CSV at a path, or of columns and rows, as the tool `chart` has them. What those of a sheet call their columns
/// is understood.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChartPart {
    pub(crate) kind: ChartKind,
    #[serde(default)]
    pub(crate) title: Option<String>,
    #[serde(default)]
    pub(crate) x_title: Option<String>,
    #[serde(default)]
    pub(crate) y_title: Option<String>,
    #[serde(default)]
    pub(crate) path: Option<String>,
    #[serde(default)]
    pub(crate) columns: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) rows: Option<Vec<Vec<Value>>>,
    #[serde(default, alias = "categories")]
    pub(crate) x: Option<String>,
    #[serde(default, alias = "values")]
    pub(crate) y: Vec<String>,
    #[serde(default)]
    pub(crate) alt: Option<String>,
    #[serde(default)]
    pub(crate) caption: Option<String>,
    /// Centimetres.
    #[serde(default)]
    pub(crate) width: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Quote {
    pub(crate) text: Words,
    /// Whose words they are.
    #[serde(default)]
    pub(crate) by: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    pub(crate) text: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageBreak {}

/// The headings, which office programs give their pages.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contents {
    #[serde(default)]
    pub(crate) title: Option<String>,
    /// How deep, from 1 to 6.
    #[serde(default = "deep")]
    pub(crate) levels: u8,
}

const fn first() -> u8 {
    1
}

const fn deep() -> u8 {
    3
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfItem)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Levelled {
    text: Words,
    #[serde(default = "first")]
    level: u8,
}

struct OfItem;

impl<'de> Visitor<'de> for OfItem {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a list of runs, or {\"text\": …, \"level\": 2}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Item, E> {
        Ok(Item { text: OfWords.visit_str(text)?, level: 1 })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, runs: A) -> Result<Item, A::Error> {
        Ok(Item { text: Words::deserialize(SeqAccessDeserializer::new(runs))?, level: 1 })
    }

    fn visit_map<A: MapAccess<'de>>(self, item: A) -> Result<Item, A::Error> {
        let Levelled { text, level } = Levelled::deserialize(MapAccessDeserializer::new(item))?;
        Ok(Item { text, level })
    }
}
