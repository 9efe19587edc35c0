//! The slides of a deck.

use super::block::{ChartPart, Item, PicturePart};
use super::table::Table;
use super::words::Words;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Layout {
    Title,
    Content,
    TwoColumns,
    Section,
    Picture,
    Blank,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Slide {
    #[serde(default)]
    layout: Option<Layout>,
    #[serde(default)]
    pub(crate) title: Option<Words>,
    #[serde(default)]
    pub(crate) subtitle: Option<Words>,
    #[serde(default)]
    text: Option<Words>,
    #[serde(default)]
    bullets: Vec<Item>,
    #[serde(default)]
    table: Option<Table>,
    #[serde(default)]
    picture: Option<PicturePart>,
    #[serde(default)]
    chart: Option<ChartPart>,
    #[serde(default)]
    pub(crate) left: Option<Column>,
    #[serde(default)]
    pub(crate) right: Option<Column>,
    /// What whoever speaks sees.
    #[serde(default)]
    pub(crate) notes: Option<String>,
}

/// What stands below a title, or in a column of it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Column {
    #[serde(default)]
    pub(crate) text: Option<Words>,
    #[serde(default)]
    pub(crate) bullets: Vec<Item>,
    #[serde(default)]
    pub(crate) table: Option<Table>,
    #[serde(default)]
    pub(crate) picture: Option<PicturePart>,
    #[serde(default)]
    pub(crate) chart: Option<ChartPart>,
}

impl Column {
    pub(crate) fn has_words(&self) -> bool {
        self.text.is_some() || !self.bullets.is_empty()
    }

    /// How many things stand side by side.
    pub(crate) fn things(&self) -> usize {
        [self.has_words(), self.table.is_some(), self.picture.is_some(), self.chart.is_some()]
            .into_iter()
            .filter(|is_there| *is_there)
            .count()
    }
}

impl Slide {
    /// Default: what it has needs.
    pub(crate) fn layout(&self) -> Layout {
        self.layout.unwrap_or(match (&self.left, &self.right) {
            (None, None) => Layout::Content,
            _ => Layout::TwoColumns,
        })
    }

    /// What stands below the title.
    pub(crate) fn body(&self) -> Column {
        Column {
            text: self.text.clone(),
            bullets: self.bullets.clone(),
            table: self.table.clone(),
            picture: self.picture.clone(),
            chart: self.chart.clone(),
        }
    }
}
