//! What is known of models: room, prices, abilities. The rows are data (`facts.json`), as the
//! providers published them up to November 2026, and a caller can lay newer ones over them. A price
//! that is not known is not the same as none.

use protocol::Micros;
use protocol::model::Usage;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

mod family;

/// What is known of one model, or taken for granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Tokens of a prompt and its reply together.
    pub context: u32,
    /// `false`: the context is what the name's family has at least.
    pub is_known: bool,
    /// Tokens of a reply.
    pub output: u32,
    pub media: Vec<MediaKind>,
    /// `false`: nothing tells which files it takes, and a picture is tried.
    pub is_media_known: bool,
    pub reasoning: bool,
    /// `false`: the model calls tools only in the text lane.
    pub native_tools: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    Image,
    Pdf,
    Audio,
    Video,
}

/// One model, as a shipped row, a refreshed one or an admin's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The model's name, up to the date that may follow it.
    pub model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media: Option<Vec<MediaKind>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<bool>,
    /// The first that the prompt fits in counts, or the last one. None: not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<Price>,
}

/// Whole micro-dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// For calls with at most this many input tokens, cached or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    pub input: i64,
    pub output: i64,
    pub cache_read: i64,
    pub cache_write: i64,
}

/// Rows, those of an overlay before the shipped ones.
#[derive(Clone, Debug, Default)]
pub struct Table {
    overlay: Vec<Row>,
}

#[derive(Deserialize)]
struct Shipped {
    models: Vec<Row>,
    families: Vec<family::Family>,
}

static SHIPPED: LazyLock<Shipped> =
    LazyLock::new(|| serde_json::from_str(include_str!("../facts.json")).expect("a test reads every row"));

const PER: i128 = 1_000_000;

/// The shipped facts of a model.
pub fn of(model: &str) -> Facts {
    Table::default().facts(model)
}

/// The shipped price of one call, rounded up once. `None`: it is not known.
pub fn cost(model: &str, usage: &Usage) -> Option<Micros> {
    Table::default().cost(model, usage)
}

impl Table {
    /// Rows that count before the shipped ones, the first before later ones. What a row leaves out is
    /// taken from the next row for the same model.
    pub fn with(overlay: Vec<Row>) -> Self {
        Self { overlay }
    }

    pub fn facts(&self, model: &str) -> Facts {
        let known = |context: Option<u32>| context.filter(|tokens| *tokens > 0);
        let context = self.find(model, |row| known(row.context));
        let (family, is_family_known) = family::of(&SHIPPED.families, model);
        let media = self.find(model, |row| row.media.clone());
        let tokens = context.unwrap_or(family.context);
        Facts {
            context: tokens,
            is_known: context.is_some(),
            output: self.find(model, |row| known(row.output)).unwrap_or(tokens / 4).max(1),
            is_media_known: media.is_some() || is_family_known,
            media: media.unwrap_or(family.media),
            reasoning: self.find(model, |row| row.reasoning).unwrap_or(family.reasoning),
            native_tools: self.find(model, |row| row.tools).unwrap_or(family.tools),
        }
    }

    /// The price of one call, rounded up once. `None`: it is not known.
    pub fn cost(&self, model: &str, usage: &Usage) -> Option<Micros> {
        let prompt = usage.prompt();
        let fits = |price: &&Price| price.up_to.is_none_or(|most| prompt <= most);
        let prices = self.find(model, |row| (!row.prices.is_empty()).then_some(&row.prices))?;
        let price = prices.iter().find(fits).or(prices.last())?;
        let parts = [
            (usage.input, price.input),
            (usage.output, price.output),
            (usage.cache_read, price.cache_read),
            (usage.cache_write, price.cache_write),
        ];
        let total: i128 =
            parts.into_iter().map(|(tokens, price)| i128::from(tokens) * i128::from(price)).sum();
        i64::try_from((total + PER - 1) / PER).ok().map(Micros)
    }

    fn find<'a, T>(&'a self, model: &str, fact: impl Fn(&'a Row) -> Option<T>) -> Option<T> {
        self.overlay.iter().chain(&SHIPPED.models).filter(|row| row.is_for(model)).find_map(fact)
    }
}

impl Row {
    /// The name alone, or with a version by date behind it: `gpt-4o` is also `gpt-4o-2024-08-06`,
    /// but not `gpt-4o-audio-preview`.
    fn is_for(&self, model: &str) -> bool {
        let Some(rest) = model.strip_prefix(self.model.as_str()) else {
            return false;
        };
        let Some(version) = rest.strip_prefix('-') else {
            return rest.is_empty();
        };
        let digits = version.chars().filter(|c| *c != '-');
        let is_date = digits.clone().count() == 8 && digits.clone().all(|c| c.is_ascii_digit());
        is_date || version == "latest" || version == "0"
    }
}

#[cfg(test)]
mod tests;
