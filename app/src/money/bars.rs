//! What each day cost, as a picture, whole or split, and behind it as a table.

use super::parts::{Names, by_words, mark};
use crate::prelude::*;
use crate::ui::dollars;
use protocol::Micros;
use protocol::view::{UsageBy, UsageDay, UsagePart};

/// What the days are split into, ready to be shown.
#[derive(Clone)]
struct Series {
    name: String,
    mark: String,
    cost: Micros,
    days: Vec<Micros>,
}

#[component]
pub fn Bars(days: Vec<UsageDay>, parts: Vec<UsagePart>, by: Option<UsageBy>, names: Names) -> impl IntoView {
    let parts = by.map_or_else(Vec::new, |by| named(parts, by, names));
    let split = by.filter(|_| !parts.is_empty()).map(|by| by_words(by, names));
    let summary = summary(&days, split);
    let (first, last) =
        (days.first().map(|day| day_words(&day.day)), days.last().map(|day| day_words(&day.day)));
    let highest = days.iter().map(|day| day.cost.0).max().unwrap_or(0);
    let bars = days.iter().enumerate().map(|(place, day)| bar(day, highest, place, &parts)).collect_view();
    let legend = (!parts.is_empty()).then(|| view! { <Legend parts=parts.clone()/> });
    view! {
        <figure class="bars">
            <figcaption class="bars-most num">{summary.clone()}</figcaption>
            <div class="bars-days" role="img" aria-label=summary>{bars}</div>
            <div class="bars-ends num" aria-hidden="true"><span>{first}</span><span>{last}</span></div>
            {legend}
        </figure>
        <details class="fold">
            <summary><span class="fold-title">"Day by day"</span></summary>
            <div class="fold-body">
                <Days days parts label={say!("{} day by day", names.whose)}/>
            </div>
        </details>
    }
}

fn named(parts: Vec<UsagePart>, by: UsageBy, names: Names) -> Vec<Series> {
    parts
        .into_iter()
        .enumerate()
        .map(|(place, UsagePart { of, cost, days })| Series {
            name: names.of(&of, by),
            mark: mark(&of, place),
            cost,
            days,
        })
        .collect()
}

/// The bar of a day: as high as the day was dear, its parts as high as they were.
fn bar(
    UsageDay { day, cost }: &UsageDay,
    highest: i64,
    place: usize,
    parts: &[Series],
) -> impl IntoView + use<> {
    let spent = parts.iter().filter_map(|part| {
        let cost = part.days.get(place).copied().unwrap_or_default();
        (cost.0 > 0).then_some((part, cost))
    });
    let mut words = format!("{}: {}", day_words(day), dollars(*cost));
    for (part, cost) in spent.clone() {
        words.push_str(&format!("\n{}: {}", part.name, dollars(cost)));
    }
    let pieces = spent
        .map(|(part, cost)| {
            view! { <span class="part" data-part=part.mark.clone() style=format!("flex-grow:{}", cost.0)></span> }
        })
        .collect_view();
    let tall = height(*cost, highest);
    view! { <span class="bar" title=words style=format!("block-size:{tall}%")>{pieces}</span> }
}

#[component]
fn Legend(parts: Vec<Series>) -> impl IntoView {
    let lines = parts
        .into_iter()
        .map(|Series { name, mark, cost, .. }| {
            view! {
                <li>
                    <span class="part" data-part=mark aria-hidden="true"></span>
                    <span class="legend-name">{name}</span>
                    <span class="num">{dollars(cost)}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="legend">{lines}</ul> }
}

#[component]
fn Days(days: Vec<UsageDay>, parts: Vec<Series>, label: String) -> impl IntoView {
    let heads = parts.iter().map(|part| view! { <th scope="col">{part.name.clone()}</th> }).collect_view();
    let rows = days
        .into_iter()
        .enumerate()
        .rev()
        .map(|(place, UsageDay { day, cost })| {
            let cells = parts
                .iter()
                .map(|part| {
                    let cost = part.days.get(place).copied().unwrap_or_default();
                    view! { <td class="num">{dollars(cost)}</td> }
                })
                .collect_view();
            view! {
                <tr>
                    <th scope="row">{day}</th>
                    <td class="num">{dollars(cost)}</td>
                    {cells}
                </tr>
            }
        })
        .collect_view();
    let table = view! {
        <table class="days">
            <thead>
                <tr><th scope="col">"Day (UTC)"</th><th scope="col">"Cost"</th>{heads}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    };
    if parts.is_empty() {
        return table.into_any();
    }
    // Wider than a phone: it scrolls by itself, by keyboard too.
    view! { <div class="days-wide" role="region" aria-label=label tabindex="0">{table}</div> }.into_any()
}

fn summary(days: &[UsageDay], split: Option<&str>) -> String {
    let what = match split {
        Some(by) => say!("Cost by day and {by}."),
        None => t("Cost by day.").to_owned(),
    };
    match days.iter().max_by_key(|day| day.cost) {
        Some(day) if day.cost > Micros(0) => {
            say!("{what} Most: {cost} on {day}.", cost = dollars(day.cost), day = day_words(&day.day))
        }
        Some(_) | None => say!("{what} Nothing."),
    }
}

/// Of a hundred. What cost anything can be seen.
fn height(Micros(cost): Micros, highest: i64) -> i64 {
    if cost <= 0 || highest <= 0 {
        return 0;
    }
    (cost.saturating_mul(100) / highest).clamp(1, 100)
}

/// "22 Nov" of `2026-11-22`.
fn day_words(day: &str) -> String {
    let mut parts = day.split('-').skip(1).map(|part| part.parse::<usize>().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(1), Some(day)) => say!("{day} Jan"),
        (Some(2), Some(day)) => say!("{day} Feb"),
        (Some(3), Some(day)) => say!("{day} Mar"),
        (Some(4), Some(day)) => say!("{day} Apr"),
        (Some(5), Some(day)) => say!("{day} May"),
        (Some(6), Some(day)) => say!("{day} Jun"),
        (Some(7), Some(day)) => say!("{day} Jul"),
        (Some(8), Some(day)) => say!("{day} Aug"),
        (Some(9), Some(day)) => say!("{day} Sep"),
        (Some(10), Some(day)) => say!("{day} Oct"),
        (Some(11), Some(day)) => say!("{day} Nov"),
        (Some(12), Some(day)) => say!("{day} Dec"),
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

    #[test]
    fn the_picture_says_in_words_by_what_it_is_split() {
        let days = [UsageDay { day: "2026-11-22".to_owned(), cost: Micros(1_500_000) }];
        for (days, split, expected) in [
            (&days[..], None, "Cost by day. Most: $1.50 on 22 Nov."),
            (&days[..], Some("model"), "Cost by day and model. Most: $1.50 on 22 Nov."),
            (&[], None, "Cost by day. Nothing."),
        ] {
            assert_eq!(summary(days, split), expected);
        }
    }
}
