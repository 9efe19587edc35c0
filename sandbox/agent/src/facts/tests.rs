use super::*;
use crate::providers::in_browser::MODEL;

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
fn a_long_prompt_has_its_own_price_or_the_last_one() {
    for (model, usage, expected) in [
        ("claude-haiku-5-5", usage(0, 10, 50_000, 50_000), Some(6_755)),
        ("claude-haiku-5-5", usage(1, 10, 50_000, 50_000), Some(33_776)),
        ("gpt-6-sol", usage(272_000, 0, 0, 0), Some(544_000)),
        ("gpt-6-sol", usage(272_000, 0, 1, 0), Some(1_088_001)),
        ("claude-sonnet-4-5", usage(200_000, 0, 0, 0), Some(600_000)),
        ("claude-sonnet-4-5", usage(200_000, 0, 1, 0), Some(600_001)),
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
fn no_price_is_zero_but_on_the_persons_own_device_and_no_room_is_none() {
    for row in &SHIPPED.models {
        let is_own = row.model == MODEL;
        for price in &row.prices {
            // A vector is no token.
            let output = if row.model.starts_with("text-embedding") { price.input } else { price.output };
            for part in [price.input, output, price.cache_read, price.cache_write] {
                assert!(if is_own { part == 0 } else { part > 0 }, "{}", row.model);
            }
        }
        let facts = of(&row.model);
        assert!(facts.is_known && facts.output > 0 && facts.output <= facts.context, "{}", row.model);
    }
}

#[test]
fn a_name_without_a_row_has_what_its_family_has_at_least() {
    for (model, context, output, native_tools) in [
        ("gpt-4o", 128_000, 16_384, true),
        ("claude-opus-4-20250514", 200_000, 32_000, true),
        ("meta-llama/Llama-3.3-70B-Instruct", 128_000, 32_000, true),
        ("llama3:8b", 8192, 2048, false),
        ("Qwen/Qwen3-8B", 32_768, 8192, true),
        ("some-model-32k-instruct", 32_768, 8192, true),
        ("nobody-knows-it", 8192, 2048, true),
        ("", 8192, 2048, true),
    ] {
        let facts = of(model);
        assert_eq!(
            (facts.context, facts.output, facts.native_tools),
            (context, output, native_tools),
            "{model}"
        );
    }
    assert!(!of("llama3:8b").is_known && of("gpt-4o").is_known);
}

#[test]
fn an_overlay_counts_first_and_leaves_the_rest_as_it_was() {
    let mine = Price { up_to: None, input: 1_000_000, output: 1, cache_read: 1, cache_write: 1 };
    let row = |model: &str, context, prices| Row {
        model: model.to_owned(),
        context,
        output: None,
        media: None,
        reasoning: None,
        tools: None,
        prices,
    };
    let table = Table::with(vec![row("gpt-4o", Some(64_000), Vec::new()), row("my-model", None, vec![mine])]);
    assert_eq!((table.facts("gpt-4o").context, table.facts("gpt-4o").output), (64_000, 16_384));
    assert_eq!(table.cost("gpt-4o", &usage(MILLION, 0, 0, 0)), Some(Micros(2_500_000)));
    assert_eq!(table.cost("my-model", &usage(1, 0, 0, 0)), Some(Micros(1)));
    assert_eq!(table.cost("another", &usage(1, 0, 0, 0)), None);
}
