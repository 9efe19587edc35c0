//! How the cells of a workbook look, as a model writes it.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SheetLook {
    pub(in crate::documents) styles: Vec<StyleDraft>,
    pub(in crate::documents) conditional: Vec<ConditionDraft>,
    pub(crate) pictures: Vec<SheetPicture>,
    /// Whether the heads choose which rows are shown.
    pub(in crate::documents) autofilter: bool,
}

impl SheetLook {
    pub(crate) fn is_plain(&self) -> bool {
        self.styles.is_empty() && self.conditional.is_empty() && self.pictures.is_empty() && !self.autofilter
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::documents) struct StyleDraft {
    /// `B2:C9`, `B2`, or whole columns as `B` or `B:C`.
    pub(in crate::documents) cells: String,
    pub(in crate::documents) style: CellStyle,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::documents) struct CellStyle {
    pub(in crate::documents) bold: bool,
    pub(in crate::documents) italic: bool,
    pub(in crate::documents) underline: bool,
    pub(in crate::documents) size: Option<f64>,
    pub(in crate::documents) color: Option<Rgb>,
    pub(in crate::documents) fill: Option<Rgb>,
    pub(in crate::documents) align: Option<Align>,
    pub(in crate::documents) vertical: Option<Vertical>,
    pub(in crate::documents) border: Option<Border>,
    pub(in crate::documents) wrap: bool,
    pub(in crate::documents) format: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::documents) enum Align {
    Left,
    Center,
    Right,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::documents) enum Vertical {
    Top,
    Middle,
    Bottom,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::documents) enum Border {
    Thin,
    Medium,
    Thick,
}

/// A colour as `#1f7a4d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::documents) struct Rgb(pub(in crate::documents) u32);

impl TryFrom<String> for Rgb {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let is_hex = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = digits.filter(is_hex).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        value.map(Self).ok_or_else(|| format!("{text:?} is no colour: write it like #1f7a4d"))
    }
}

/// A look that cells have as long as something is so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::documents) struct ConditionDraft {
    pub(in crate::documents) cells: String,
    pub(in crate::documents) is: Condition,
    /// What a cell is compared with, or how many of the highest there are.
    pub(in crate::documents) value: Option<Value>,
    /// The upper end of `between`.
    pub(in crate::documents) to: Option<f64>,
    #[serde(default)]
    pub(in crate::documents) style: CellStyle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::documents) enum Condition {
    Greater,
    Less,
    AtLeast,
    AtMost,
    Equal,
    NotEqual,
    Between,
    Contains,
    Duplicate,
    Top,
    Bottom,
    /// From the lowest to the highest, by colour.
    Scale,
    /// As bars in the cells.
    Bars,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SheetPicture {
    pub(crate) path: String,
    /// The cell at its upper left, as `F2`.
    pub(in crate::documents) at: String,
    #[serde(default)]
    pub(in crate::documents) alt: String,
    /// In pixels. Default: as it is.
    pub(in crate::documents) width: Option<f64>,
    /// What is in it, once it was read.
    #[serde(skip)]
    pub(crate) bytes: Vec<u8>,
}
