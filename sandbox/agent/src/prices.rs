//! What a model call costs. A model that is not in the table has no known price, which is not the
//! same as none.

use protocol::Micros;
use protocol::model::Usage;

/// Prices in whole micro-dollars per million tokens.
struct Row {
    /// The model's name, up to the date that may follow it.
    model: &'static str,
    input: i64,
    output: i64,
    cache_read: i64,
    cache_write: i64,
    /// Calls with more input tokens than this, cached or not, have another price.
    longest_prompt: u64,
}

const PER: i128 = 1_000_000;

/// As the providers published them in November 2026. Of rows for one model the first that the
/// prompt fits in counts.
const ROWS: &[Row] = &[
    anthropic("claude-fable-5-1", 10_000_000, 50_000_000).cache_read(250_000),
    anthropic("claude-fable-5", 10_000_000, 50_000_000),
    anthropic("claude-opus-5-5", 4_000_000, 20_000_000).cache_read(200_000),
    anthropic("claude-opus-5", 5_000_000, 25_000_000),
    anthropic("claude-opus-4-8", 5_000_000, 25_000_000),
    anthropic("claude-opus-4-7", 5_000_000, 25_000_000),
    anthropic("claude-opus-4-6", 5_000_000, 25_000_000),
    anthropic("claude-opus-4-5", 5_000_000, 25_000_000),
    anthropic("claude-opus-4-1", 15_000_000, 75_000_000),
    anthropic("claude-opus-4", 15_000_000, 75_000_000),
    anthropic("claude-sonnet-5-5", 2_000_000, 10_000_000).cache_read(100_000),
    anthropic("claude-sonnet-5", 2_000_000, 10_000_000),
    anthropic("claude-sonnet-4-6", 3_000_000, 15_000_000),
    anthropic("claude-sonnet-4-5", 3_000_000, 15_000_000).up_to(200_000),
    anthropic("claude-haiku-5-5", 100_000, 500_000).up_to(100_000),
    anthropic("claude-haiku-5-5", 500_000, 2_500_000),
    anthropic("claude-haiku-4-5", 1_000_000, 5_000_000),
    openai("gpt-6-astra", 10_000_000, 50_000_000, 1_000_000).cache_write(12_500_000).up_to(272_000),
    openai("gpt-6-sol", 2_000_000, 10_000_000, 200_000).cache_write(2_500_000).up_to(272_000),
    openai("gpt-6-luna", 100_000, 500_000, 10_000).cache_write(125_000).up_to(272_000),
    openai("gpt-5.5", 5_000_000, 30_000_000, 500_000).up_to(272_000),
    openai("gpt-5.4", 2_500_000, 15_000_000, 250_000).up_to(272_000),
    openai("gpt-5.4-mini", 750_000, 4_500_000, 75_000).up_to(272_000),
    openai("gpt-5.4-nano", 200_000, 1_250_000, 20_000).up_to(272_000),
    openai("gpt-5.2", 1_750_000, 14_000_000, 175_000),
    openai("gpt-5.1", 1_250_000, 10_000_000, 125_000),
    openai("gpt-5", 1_250_000, 10_000_000, 125_000),
    openai("gpt-5-mini", 250_000, 2_000_000, 25_000),
    openai("gpt-5-nano", 50_000, 400_000, 5_000),
    openai("gpt-4.1", 2_000_000, 8_000_000, 500_000),
    openai("gpt-4.1-mini", 400_000, 1_600_000, 100_000),
    openai("gpt-4.1-nano", 100_000, 400_000, 25_000),
    openai("gpt-4o", 2_500_000, 10_000_000, 1_250_000),
    openai("gpt-4o-mini", 150_000, 600_000, 75_000),
    openai("o3", 2_000_000, 8_000_000, 500_000),
    openai("o4-mini", 1_100_000, 4_400_000, 275_000),
];

/// Reading the cache costs a tenth of the input, writing it (for five minutes) a quarter more.
const fn anthropic(model: &'static str, input: i64, output: i64) -> Row {
    Row { model, input, output, cache_read: input / 10, cache_write: input / 4 * 5, longest_prompt: u64::MAX }
}

/// Writing the cache costs what the input costs.
const fn openai(model: &'static str, input: i64, output: i64, cache_read: i64) -> Row {
    Row { model, input, output, cache_read, cache_write: input, longest_prompt: u64::MAX }
}

/// The price of one call, rounded up once. `None`: it is not known.
pub fn cost(model: &str, usage: &Usage) -> Option<Micros> {
    let prompt = usage.input.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
    let row = ROWS.iter().find(|row| row.is_for(model) && prompt <= row.longest_prompt)?;
    let parts = [
        (usage.input, row.input),
        (usage.output, row.output),
        (usage.cache_read, row.cache_read),
        (usage.cache_write, row.cache_write),
    ];
    let total: i128 = parts.into_iter().map(|(tokens, price)| i128::from(tokens) * i128::from(price)).sum();
    i64::try_from((total + PER - 1) / PER).ok().map(Micros)
}

impl Row {
    const fn cache_read(self, cache_read: i64) -> Self {
        Self { cache_read, ..self }
    }

    const fn cache_write(self, cache_write: i64) -> Self {
        Self { cache_write, ..self }
    }

    const fn up_to(self, longest_prompt: u64) -> Self {
        Self { longest_prompt, ..self }
    }

    /// The name alone, or with a version by date behind it: `gpt-4o` is also `gpt-4o-2024-08-06`,
    /// but not `gpt-4o-audio-preview`.
    fn is_for(&self, model: &str) -> bool {
        let Some(rest) = model.strip_prefix(self.model) else {
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
mod tests {
    use super::*;

    const MILLION: u64 = 1_000_000;

    fn usage(input: u64, output: u64, cache_read: u64, cache_write: u64) -> Usage {
        Usage { input, output, cache_read, cache_write, reasoning: 0 }
    }

    #[test]
    fn a_call_is_rounded_up_once() {
        for (model, usage, expected) in [
            ("claude-sonnet-4-6", usage(0, 0, 0, 0), 0),
            ("claude-sonnet-4-6", usage(1, 0, 0, 0), 3),
            ("claude-sonnet-4-6", usage(MILLION, MILLION, MILLION, MILLION), 22_050_000),
            ("claude-sonnet-5-5", usage(MILLION, MILLION, MILLION, MILLION), 14_600_000),
            ("gpt-5-nano", usage(1, 0, 0, 0), 1),
            // 0.05 + 0.4 + 0.005 is one micro-dollar, not three.
            ("gpt-5-nano", usage(1, 1, 1, 0), 1),
            ("gpt-5-nano", usage(20, 0, 0, 0), 1),
            ("gpt-5-nano", usage(21, 0, 0, 0), 2),
        ] {
            assert_eq!(cost(model, &usage), Some(Micros(expected)), "{model} {usage:?}");
        }
    }

    #[test]
    fn a_row_is_for_the_model_and_its_dated_versions() {
        let million = usage(0, MILLION, 0, 0);
        for (model, expected) in [
            ("gpt-4o", Some(10_000_000)),
            ("gpt-4o-2024-08-06", Some(10_000_000)),
            ("gpt-4o-mini", Some(600_000)),
            ("gpt-4o-mini-2024-07-18", Some(600_000)),
            ("gpt-4o-audio-preview", None),
            ("gpt-4", None),
            ("gpt-5.9", None),
            ("o3-pro", None),
            ("claude-opus-4-20250514", Some(75_000_000)),
            ("claude-opus-4-0", Some(75_000_000)),
            ("claude-opus-4-5-20251101", Some(25_000_000)),
            ("claude-opus-4-9", None),
            ("claude-haiku-4-5-latest", Some(5_000_000)),
            ("llama3.2", None),
            ("", None),
        ] {
            let expected = expected.map(Micros);
            assert_eq!(cost(model, &million), expected, "{model}");
        }
    }

    #[test]
    fn a_long_prompt_has_its_own_price_or_none() {
        for (model, usage, expected) in [
            ("claude-haiku-5-5", usage(0, 10, 50_000, 50_000), Some(6_755)),
            ("claude-haiku-5-5", usage(1, 10, 50_000, 50_000), Some(33_776)),
            ("gpt-6-sol", usage(272_000, 0, 0, 0), Some(544_000)),
            ("gpt-6-sol", usage(272_000, 0, 1, 0), None),
        ] {
            assert_eq!(cost(model, &usage), expected.map(Micros), "{model} {usage:?}");
        }
    }

    #[test]
    fn absurd_usage_has_no_price_and_does_not_overflow() {
        let usage = usage(u64::MAX, u64::MAX, u64::MAX, u64::MAX);
        assert_eq!(cost("claude-opus-4-1", &usage), None);
    }

    #[test]
    fn no_price_is_zero() {
        for row in ROWS {
            for price in [row.input, row.output, row.cache_read, row.cache_write] {
                assert!(price > 0, "{}", row.model);
            }
        }
    }
}
