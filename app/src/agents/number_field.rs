//! A number that may be left out, which a form says by an empty text.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum NumberField<T> {
    Number(T),
    Text(String),
    #[default]
    Absent,
}

/// What a text that is no number becomes: something that the hub refuses in words.
pub(super) trait Refused {
    const REFUSED: Self;
}

impl Refused for u32 {
    const REFUSED: Self = 0;
}

impl Refused for i64 {
    const REFUSED: Self = -1;
}

impl Refused for f64 {
    const REFUSED: Self = Self::NAN;
}

impl<T: FromStr + Refused> From<NumberField<T>> for Option<T> {
    fn from(field: NumberField<T>) -> Self {
        match field {
            NumberField::Number(number) => Some(number),
            NumberField::Text(text) => Some(text.trim())
                .filter(|text| !text.is_empty())
                .map(|text| text.parse().unwrap_or(T::REFUSED)),
            NumberField::Absent => None,
        }
    }
}
