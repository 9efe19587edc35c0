//! Who or what used how much, as a table.

use crate::prelude::*;
use crate::ui::{Table, dollars, grouped};
use protocol::view::UsageLine;

#[component]
pub fn Lines(
    /// What the first column holds.
    what: &'static str,
    /// What a line without a name is called.
    nameless: &'static str,
    lines: Vec<UsageLine>,
) -> impl IntoView {
    let rows = lines
        .into_iter()
        .map(|line| {
            let cost = cost_words(&line);
            let name = if line.name.is_empty() { nameless.to_owned() } else { line.name };
            view! {
                <tr>
                    <td>{name}</td>
                    <td data-label="Calls" class="num">{grouped(line.calls)}</td>
                    <td data-label="Tokens in" class="num">{grouped(line.input_tokens)}</td>
                    <td data-label="Tokens out" class="num">{grouped(line.output_tokens)}</td>
                    <td data-label="Cost" class="num">{cost}</td>
                </tr>
            }
        })
        .collect_view()
        .into_any();
    view! {
        <Table columns=[what, "Calls", "Tokens in", "Tokens out", "Cost"] rows/>
    }
}

fn cost_words(line: &UsageLine) -> String {
    match line.unpriced {
        0 => dollars(line.cost),
        unpriced if unpriced == line.calls => t("Unknown").to_owned(),
        unpriced => plural!(
            unpriced,
            "{cost} and 1 call unknown",
            "{cost} and {calls} calls unknown",
            cost = dollars(line.cost),
            calls = grouped(unpriced)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Micros;

    #[test]
    fn what_has_no_price_is_never_shown_as_free() {
        for (calls, unpriced, expected) in [
            (4, 0, "$2.00"),
            (4, 1, "$2.00 and 1 call unknown"),
            (4, 3, "$2.00 and 3 calls unknown"),
            (4, 4, "Unknown"),
        ] {
            let line = UsageLine { calls, unpriced, cost: Micros(2_000_000), ..UsageLine::default() };
            assert_eq!(cost_words(&line), expected);
        }
    }
}
