//! Charts that are drawn.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A picture of numbers that is to be drawn.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ChartDraft {
    pub(crate) kind: ChartKind,
    pub(crate) title: Option<String>,
    pub(crate) x_title: Option<String>,
    pub(crate) y_title: Option<String>,
    pub(crate) table: ChartTable,
    /// The column below. Default: the first.
    pub(crate) x: Option<String>,
    /// Those that are drawn. None: all others with numbers.
    pub(crate) y: Vec<String>,
    /// Whether strangers may have written the table: what is wrong with it is said without its words.
    pub(crate) untrusted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChartKind {
    #[serde(alias = "column")]
    Bar,
    Line,
    Pie,
    Scatter,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum ChartTable {
    /// With its heads in the first line.
    Csv(String),
    Rows {
        columns: Vec<String>,
        rows: Vec<Vec<Value>>,
    },
}

/// A chart, twice.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct DrawnChart {
    pub(crate) svg: String,
    /// Base64 with padding.
    pub(crate) png: String,
    /// Numbers that it shows.
    pub(crate) points: usize,
    /// What of the table is not in it, in sentences for whoever wrote it.
    pub(crate) notes: Vec<String>,
}
