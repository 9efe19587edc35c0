//! What was spent, in words.

use super::number::{decimal, decimal_in, grouped};
use crate::prelude::*;
use protocol::Micros;
use protocol::view::{Spent, Today};

/// What an agent used: where it has a limit for a day what it cost today, otherwise what it cost in all,
/// with the rest on hover.
#[component]
pub fn Cost(#[prop(into)] spent: Signal<Spent>, #[prop(into)] today: Signal<Option<Today>>) -> impl IntoView {
    let text = move || today.get().map_or_else(|| cost_text(spent.get()), today_text);
    let rest = move || match today.get() {
        Some(_) => {
            let spent = spent.get();
            say!("{cost} in all, {tokens}", cost = cost_text(spent), tokens = tokens_text(spent))
        }
        None => tokens_text(spent.get()),
    };
    view! { <span class="num" title=rest>{text}</span> }
}

fn today_text(Today { spent, limit }: Today) -> String {
    say!("{spent} of {limit} today", spent = dollars(spent), limit = exactly(limit))
}

fn cost_text(spent: Spent) -> String {
    match spent.cost {
        Some(cost) => dollars(cost),
        None if spent.input_tokens == 0 && spent.output_tokens == 0 => t("Nothing spent").to_owned(),
        None => t("Cost unknown").to_owned(),
    }
}

fn tokens_text(spent: Spent) -> String {
    let (input, output) = (grouped(spent.input_tokens), grouped(spent.output_tokens));
    say!("{input} tokens in, {output} out")
}

/// Four decimals below a dollar, where agents spend; two from there on. Rounded half up.
pub fn dollars(amount: Micros) -> String {
    match amount {
        Micros(1..50) => say!("under {amount}", amount = rounded(language::current(), Micros(100))),
        amount => rounded(language::current(), amount),
    }
}

/// An amount with every digit that it has: a limit, a price.
pub fn exactly(amount: Micros) -> String {
    decimal(&amount.to_string())
}

fn rounded(language: Language, Micros(micros): Micros) -> String {
    if micros == 0 {
        return decimal_in(language, "$0.00");
    }
    let tenths_of_cents = (micros + 50) / 100;
    if tenths_of_cents < 10_000 {
        return decimal_in(language, &format!("$0.{tenths_of_cents:04}"));
    }
    let cents = (micros + 5_000) / 10_000;
    decimal_in(language, &format!("${}.{:02}", cents / 100, cents % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_rounded_to_what_a_person_can_compare() {
        let table = [
            (0, "$0.00"),
            (1, "under $0.0001"),
            (50, "$0.0001"),
            (12_300, "$0.0123"),
            (12_350, "$0.0124"),
            (999_949, "$0.9999"),
            (999_950, "$1.00"),
            (1_234_567, "$1.23"),
            (120_000_000, "$120.00"),
        ];
        for (micros, text) in table {
            assert_eq!(dollars(Micros(micros)), text, "{micros}");
        }
    }

    #[test]
    fn a_cost_has_the_decimal_sign_of_its_language() {
        let table = [
            (Language::English, 0, "$0.00"),
            (Language::German, 0, "$0,00"),
            (Language::English, 12_300, "$0.0123"),
            (Language::German, 12_300, "$0,0123"),
            (Language::English, 1_234_567, "$1.23"),
            (Language::German, 1_234_567, "$1,23"),
        ];
        for (language, micros, text) in table {
            assert_eq!(rounded(language, Micros(micros)), text, "{micros}");
        }
    }

    #[test]
    fn a_limit_for_a_day_stands_beside_what_the_day_cost() {
        let today = Today { spent: Micros(120_000), limit: Micros(1_000_000) };
        assert_eq!(today_text(today), "$0.1200 of $1.00 today");
    }

    #[test]
    fn an_unknown_price_is_never_shown_as_free() {
        let used = Spent { input_tokens: 10, output_tokens: 2, cost: None };
        assert_eq!(cost_text(used), "Cost unknown");
        assert_eq!(cost_text(Spent::default()), "Nothing spent");
    }

    #[test]
    fn tokens_are_grouped_by_thousands() {
        let spent = Spent { input_tokens: 1_234_567, output_tokens: 89, cost: None };
        assert_eq!(tokens_text(spent), "1\u{202f}234\u{202f}567 tokens in, 89 out");
    }
}
