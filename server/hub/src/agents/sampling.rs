//! Which settings of sampling are accepted.

use crate::error::{Error, Result};
use protocol::view::SamplingSettings;
use std::fmt::Display;
use std::ops::RangeInclusive;

const MAX_TOP_K: u32 = 1000;
/// The largest whole number that every JSON reader keeps.
const MAX_SEED: i64 = (1 << 53) - 1;

/// The widest bounds that a provider has. Who takes less says so itself.
pub(super) fn check(settings: SamplingSettings) -> Result<SamplingSettings> {
    within("temperature", settings.temperature, 0.0..=2.0)?;
    within("top p", settings.top_p, 0.0..=1.0)?;
    within("top k", settings.top_k, 1..=MAX_TOP_K)?;
    within("presence penalty", settings.presence_penalty, -2.0..=2.0)?;
    within("frequency penalty", settings.frequency_penalty, -2.0..=2.0)?;
    within("seed", settings.seed, 0..=MAX_SEED)?;
    Ok(settings)
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
        let widest = SamplingSettings { temperature: Some(2.0), top_p: Some(0.0), seed: Some(0), ..none() };
        assert_eq!(check(widest.clone()).unwrap(), widest);
    }
}
