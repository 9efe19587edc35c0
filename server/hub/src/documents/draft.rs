//! What a document is to be.

mod look;

pub(super) use look::{Align, Border, CellStyle, Condition, ConditionDraft, Rgb, SheetPicture, Vertical};

use crate::engine::TextDraft;
use crate::engine::structure::PartsDraft;
use look::SheetLook;
use serde::Deserialize;
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Docx,
    Pptx,
    Pdf,
    Xlsx,
    Csv,
}

impl Format {
    /// By what a path ends in.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "docx" => Self::Docx,
            "pptx" => Self::Pptx,
            "pdf" => Self::Pdf,
            "xlsx" => Self::Xlsx,
            "csv" => Self::Csv,
            _ => return None,
        })
    }
}

#[derive(Debug)]
pub(crate) enum Draft {
    Text(TextDraft),
    Parts(PartsDraft),
    Sheets { format: Format, sheets: Vec<SheetDraft> },
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct SheetDraft {
    pub(super) name: Option<String>,
    pub(super) columns: Vec<Column>,
    /// Texts, numbers, booleans and nothing.
    pub(super) rows: Vec<Vec<Value>>,
    pub(super) chart: Option<ChartDraft>,
    #[serde(default)]
    pub(super) charts: Vec<ChartDraft>,
    /// Cells that are one, as `A5:C5`.
    #[serde(default)]
    pub(super) merge: Vec<String>,
    #[serde(default)]
    pub(crate) look: SheetLook,
}

#[derive(Debug, Deserialize)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) width: Option<f64>,
    /// As workbooks write it, or `text`.
    pub(super) format: Option<String>,
}

impl Column {
    /// Whether what looks like a formula or a date is none.
    pub(super) fn is_text(&self) -> bool {
        self.format.as_deref().is_some_and(|format| matches!(format, "text" | "@"))
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct ChartDraft {
    pub(super) kind: ChartKind,
    pub(super) title: Option<String>,
    pub(super) categories: Option<String>,
    pub(super) values: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChartKind {
    Column,
    Bar,
    Line,
    Area,
    Pie,
}
