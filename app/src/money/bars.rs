//! What each day cost, as a picture, and behind it as a table.

use crate::ui::dollars;
use leptos::prelude::*;
use protocol::Micros;
use protocol::view::UsageDay;

/// Width of a day in the picture's own units; its bar leaves a gap.
const STEP: usize = 10;
const BAR: usize = 8;
const HEIGHT: i64 = 100;

#[component]
pub fn Bars(days: Vec<UsageDay>) -> impl IntoView {
    let most = days.iter().max_by_key(|day| day.cost).cloned();
    let highest = most.as_ref().map_or(0, |day| day.cost.0);
    let summary = match &most {
        Some(day) if highest > 0 => {
            format!("Cost by day. Most: {} on {}.", dollars(day.cost), day_words(&day.day))
        }
        Some(_) | None => "Cost by day. Nothing.".to_owned(),
    };
    let (first, last) =
        (days.first().map(|day| day_words(&day.day)), days.last().map(|day| day_words(&day.day)));
    let bars = days
        .iter()
        .enumerate()
        .map(|(place, UsageDay { day, cost })| {
            let tall = height(*cost, highest);
            view! {
                <rect x=(place * STEP).to_string() y=(HEIGHT - tall).to_string() width=BAR.to_string() height=tall.to_string()>
                    <title>{format!("{}: {}", day_words(day), dollars(*cost))}</title>
                </rect>
            }
        })
        .collect_view();
    let size = format!("0 0 {} {HEIGHT}", days.len() * STEP);
    let rows = days
        .into_iter()
        .rev()
        .map(|UsageDay { day, cost }| {
            view! {
                <tr>
                    <th scope="row">{day}</th>
                    <td class="num">{dollars(cost)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <figure class="bars">
            <figcaption class="bars-most num">{summary.clone()}</figcaption>
            <svg viewBox=size preserveAspectRatio="none" role="img" aria-label=summary>{bars}</svg>
            <div class="bars-ends num" aria-hidden="true"><span>{first}</span><span>{last}</span></div>
        </figure>
        <details class="fold">
            <summary><span class="fold-title">"Day by day"</span></summary>
            <div class="fold-body">
                <table class="days">
                    <thead>
                        <tr><th scope="col">"Day (UTC)"</th><th scope="col">"Cost"</th></tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

/// In the picture's units. What cost anything can be seen.
fn height(Micros(cost): Micros, highest: i64) -> i64 {
    if cost <= 0 || highest <= 0 {
        return 0;
    }
    (cost.saturating_mul(HEIGHT) / highest).clamp(1, HEIGHT)
}

/// "22 Nov" of `2026-11-22`.
fn day_words(day: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = day.split('-').skip(1).map(|part| part.parse::<usize>().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(month @ 1..=12), Some(day)) => format!("{day} {}", MONTHS[month - 1]),
        (Some(_) | None, Some(_) | None) => day.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_cost_anything_can_be_seen() {
        for (cost, highest, expected) in
            [(0, 0, 0), (0, 1_000_000, 0), (1, 1_000_000, 1), (500_000, 1_000_000, 50), (7, 7, 100)]
        {
            assert_eq!(height(Micros(cost), highest), expected, "{cost} of {highest}");
        }
    }

    #[test]
    fn a_day_is_told_as_people_say_it() {
        for (day, expected) in [("2026-11-02", "2 Nov"), ("2026-13-02", "2026-13-02"), ("x", "x")] {
            assert_eq!(day_words(day), expected);
        }
    }
}
