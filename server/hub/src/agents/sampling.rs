//! Which settings of sampling are accepted.

use crate::error::{Error, Result};
use agent::providers::extra;
use protocol::view::SamplingSettings;
use serde_json::Value;
use std::fmt::Display;
use std::ops::RangeInclusive;

const MAX_TOP_K: u32 = 1000;
/// The largest whole number that every JSON reader keeps.
const MAX_SEED: i64 = (1 << 53) - 1;
/// Bytes of the text that extra fields are written in, with its spaces.
const MAX_EXTRA_TEXT: usize = 4 * extra::MOST_BYTES;

/// The widest bounds that a provider has. Who takes less says so itself.
pub(super) fn check(settings: SamplingSettings) -> Result<SamplingSettings> {
    within("temperature", settings.temperature, 0.0..=2.0)?;
    within("top p", settings.top_p, 0.0..=1.0)?;
    within("top k", settings.top_k, 1..=MAX_TOP_K)?;
    within("presence penalty", settings.presence_penalty, -2.0..=2.0)?;
    within("frequency penalty", settings.frequency_penalty, -2.0..=2.0)?;
    within("seed", settings.seed, 0..=MAX_SEED)?;
    Ok(SamplingSettings { extra: check_extra(settings.extra)?, ..settings })
}

/// A text stands for the object that it holds; empty ones for none.
fn check_extra(fields: Option<Value>) -> Result<Option<Value>> {
    let Some(fields) = fields else { return Ok(None) };
    let fields = match fields {
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) if text.len() > MAX_EXTRA_TEXT => {
            return Err(Error::invalid(format!(
                "The extra fields have at most {} bytes.",
                extra::MOST_BYTES
            )));
        }
        Value::String(text) => serde_json::from_str(&text)
            .map_err(|error| Error::invalid(format!("The extra fields are no JSON: {error}.")))?,
        fields => fields,
    };
    match fields {
        Value::Object(fields) if fields.is_empty() => Ok(None),
        Value::Object(fields) => match extra::refusal(&fields) {
            Some(why) => Err(Error::Invalid(why)),
            None => Ok(Some(Value::Object(fields))),
        },
        _ => Err(Error::invalid("The extra fields are one JSON object, like {\"min_p\": 0.1}.")),
    }
}

fn within<T: PartialOrd + Display>(name: &str, value: Option<T>, bounds: RangeInclusive<T>) -> Result<()> {
    match value {
        Some(value) if !bounds.contains(&value) => Err(Error::invalid(format!(
            "The {name} of a model is a number from {} to {}, or left empty.",
            bounds.start(),
            bounds.end()
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_no_provider_takes_is_refused_in_words() {
        let none = SamplingSettings::default;
        for (message, settings) in [
            ("The temperature", SamplingSettings { temperature: Some(2.1), ..none() }),
            ("The temperature", SamplingSettings { temperature: Some(f64::NAN), ..none() }),
            ("The top p", SamplingSettings { top_p: Some(-0.1), ..none() }),
            ("The top k", SamplingSettings { top_k: Some(0), ..none() }),
            ("The presence penalty", SamplingSettings { presence_penalty: Some(-3.0), ..none() }),
            ("The frequency penalty", SamplingSettings { frequency_penalty: Some(2.5), ..none() }),
            ("The seed", SamplingSettings { seed: Some(-1), ..none() }),
        ] {
            let error = check(settings.clone()).expect_err(&format!("{settings:?}"));
            assert!(matches!(&error, Error::Invalid(said) if said.starts_with(message)), "{error}");
        }
        for (message, written) in [
            ("The extra fields are no JSON: expected value at line 1 column 9.", json!("{\"top\": }")),
            ("The extra fields are one JSON object", json!([1])),
            ("The extra fields are one JSON object", json!("7")),
            ("The extra fields have at most", json!(" ".repeat(MAX_EXTRA_TEXT) + "{}")),
            ("The extra field \"model\" is not taken", json!("{\"model\": \"other\"}")),
        ] {
            let error =
                check(SamplingSettings { extra: Some(written.clone()), ..none() }).expect_err("taken");
            assert!(
                matches!(&error, Error::Invalid(said) if said.starts_with(message)),
                "{written}: {error}"
            );
        }
        for (written, kept) in [
            (json!("{ \"min_p\": 0.1 }"), Some(json!({ "min_p": 0.1 }))),
            (json!({ "min_p": 0.1 }), Some(json!({ "min_p": 0.1 }))),
            (json!("{}"), None),
            (json!(" "), None),
        ] {
            let settings = check(SamplingSettings { extra: Some(written), ..none() }).unwrap();
            assert_eq!(settings.extra, kept);
        }
        let widest = SamplingSettings { temperature: Some(2.0), top_p: Some(0.0), seed: Some(0), ..none() };
        assert_eq!(check(widest.clone()).unwrap(), widest);
    }
}
