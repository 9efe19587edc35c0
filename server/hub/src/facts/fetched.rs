//! The public list of models.dev, as rows. Its prices are dollars for a million tokens.

use super::MOST_PRICE;
use agent::facts::{MediaKind, Price, Row};
use serde::Deserialize;
use serde_json::Number;
use std::collections::BTreeMap;

/// Whose models are taken. Where two have one of the same name, the first counts: who makes a model
/// knows it better than who resells it.
const PROVIDERS: [&str; 10] = [
    "anthropic",
    "openai",
    "google",
    "mistral",
    "deepseek",
    "xai",
    "groq",
    "amazon-bedrock",
    "azure",
    "openrouter",
];

#[derive(Deserialize)]
struct Provider {
    #[serde(default)]
    models: BTreeMap<String, Model>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(default)]
    tool_call: Option<bool>,
    #[serde(default)]
    reasoning: Option<bool>,
    #[serde(default)]
    modalities: Modalities,
    #[serde(default)]
    limit: Limit,
    #[serde(default)]
    cost: Option<Cost>,
}

#[derive(Default, Deserialize)]
struct Modalities {
    #[serde(default)]
    input: Vec<String>,
}

#[derive(Default, Deserialize)]
struct Limit {
    #[serde(default)]
    context: Option<u64>,
    #[serde(default)]
    output: Option<u64>,
}

#[derive(Deserialize)]
struct Cost {
    input: Number,
    output: Number,
    #[serde(default)]
    cache_read: Option<Number>,
    #[serde(default)]
    cache_write: Option<Number>,
}

/// Fails in words when the list is not what it was.
pub(super) fn rows(body: &[u8]) -> Result<Vec<Row>, String> {
    let mut providers: BTreeMap<String, Provider> = serde_json::from_slice(body)
        .map_err(|error| format!("The list of models could not be read: {error}."))?;
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for name in PROVIDERS {
        let Some(provider) = providers.remove(name) else { continue };
        for (name, model) in provider.models {
            rows.entry(name.clone()).or_insert_with(|| row(name, model));
        }
    }
    if rows.is_empty() {
        return Err("The list of models holds none that are known here.".to_owned());
    }
    Ok(rows.into_values().collect())
}

fn row(model: String, facts: Model) -> Row {
    let tokens =
        |count: Option<u64>| count.filter(|count| *count > 0).and_then(|count| u32::try_from(count).ok());
    let media = facts.modalities.input.iter().filter_map(|kind| match kind.as_str() {
        "image" => Some(MediaKind::Image),
        "pdf" => Some(MediaKind::Pdf),
        "audio" => Some(MediaKind::Audio),
        "video" => Some(MediaKind::Video),
        _ => None,
    });
    Row {
        model,
        context: tokens(facts.limit.context),
        output: tokens(facts.limit.output),
        media: Some(media.collect()),
        reasoning: facts.reasoning,
        tools: facts.tool_call,
        prices: facts.cost.and_then(price).into_iter().collect(),
    }
}

/// A price that cannot be read, or of nothing at all, is not known.
fn price(cost: Cost) -> Option<Price> {
    let (input, output) = (micros(&cost.input)?, micros(&cost.output)?);
    if input.max(output) > MOST_PRICE {
        return None;
    }
    if input == 0 && output == 0 {
        return None;
    }
    let or_input = |part: &Option<Number>| {
        part.as_ref().and_then(micros).filter(|price| *price <= MOST_PRICE).unwrap_or(input)
    };
    Some(Price {
        up_to: None,
        input,
        output,
        cache_read: or_input(&cost.cache_read),
        cache_write: or_input(&cost.cache_write),
    })
}

/// Dollars as written, in whole micro-dollars, rounded up; no float on the way.
fn micros(dollars: &Number) -> Option<i64> {
    let text = dollars.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    if !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits: String = part.chars().chain("000000".chars()).take(6).collect();
    let rest = part.len() > 6 && part[6..].bytes().any(|digit| digit != b'0');
    let whole: i64 = whole.parse().ok().filter(|whole| *whole >= 0)?;
    let part: i64 = digits.parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(part)?.checked_add(i64::from(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_become_whole_micro_dollars() {
        for (text, expected) in [
            ("3", Some(3_000_000)),
            ("0.05", Some(50_000)),
            ("0.0000125", Some(13)),
            ("1.25", Some(1_250_000)),
            ("0", Some(0)),
            ("-1", None),
            ("1e-7", None),
        ] {
            let number: Number = serde_json::from_str(text).expect("a number");
            assert_eq!(micros(&number), expected, "{text}");
        }
    }

    #[test]
    fn a_list_becomes_rows_and_an_unknown_price_stays_unknown() {
        let list = br#"{
            "openrouter": { "models": { "grok-4": { "cost": { "input": 99, "output": 99 } } } },
            "xai": { "models": {
                "grok-4": {
                    "tool_call": true, "reasoning": true, "modalities": { "input": ["text", "image"] },
                    "limit": { "context": 256000, "output": 64000 },
                    "cost": { "input": 3, "output": 15, "cache_read": 0.75 }
                },
                "grok-free": { "limit": { "context": 0 }, "cost": { "input": 0, "output": 0 } }
            } },
            "nobody": { "models": { "x": {} } }
        }"#;
        let rows = rows(list).expect("a list");
        assert_eq!(rows.iter().map(|row| row.model.as_str()).collect::<Vec<_>>(), ["grok-4", "grok-free"]);
        let (known, free) = (&rows[0], &rows[1]);
        assert_eq!((known.context, known.tools), (Some(256_000), Some(true)));
        assert_eq!(known.prices[0].cache_read, 750_000);
        assert_eq!(known.prices[0].cache_write, 3_000_000);
        assert!(free.prices.is_empty() && free.context.is_none());
        assert!(super::rows(b"<html>").is_err() && super::rows(b"{}").is_err());
    }
}
