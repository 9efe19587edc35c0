//! What was spent today, this month and in all, beside the limits.

use crate::prelude::*;
use crate::ui::dollars;
use protocol::Budget;
use protocol::Micros;

#[component]
pub fn Spending(budget: Budget) -> impl IntoView {
    let Budget { caps, spent } = budget;
    view! {
        <ul class="spending">
            <Period when="Today" spent=spent.day limit=caps.per_day/>
            <Period when="This month" spent=spent.month limit=caps.per_month/>
            <Period when="In all" spent=spent.ever limit=caps.ever/>
        </ul>
    }
}

#[component]
fn Period(when: &'static str, spent: Micros, limit: Option<Micros>) -> impl IntoView {
    let words = words(spent, limit);
    let meter = limit.map(|limit| {
        let percent = percent(spent, limit);
        view! {
            <span
                class="meter"
                role="meter"
                aria-label=when
                aria-valuemin="0"
                aria-valuemax="100"
                aria-valuenow=percent.min(100).to_string()
                aria-valuetext=words.clone()
                data-level=level(percent)
                style=format!("--full:{}%", percent.min(100))
            ></span>
        }
    });
    view! {
        <li>
            <span class="spending-when">{when}</span>
            <span class="spending-what num">{words.clone()}</span>
            {meter}
        </li>
    }
}

/// The limit that says most about how things stand, in a few words.
pub fn in_short(budget: Budget) -> String {
    let Budget { caps, spent } = budget;
    let limited = [
        (caps.per_day, spent.day, t("today")),
        (caps.per_month, spent.month, t("this month")),
        (caps.ever, spent.ever, t("in all")),
    ];
    for (limit, spent, when) in limited {
        if limit.is_some() {
            return format!("{} {when}", words(spent, limit));
        }
    }
    match (caps.per_run, caps.per_call) {
        (Some(limit), _) => say!("At most {limit} a run"),
        (None, Some(limit)) => say!("At most {limit} a call"),
        (None, None) => t("No limit").to_owned(),
    }
}

fn words(spent: Micros, limit: Option<Micros>) -> String {
    match limit {
        Some(limit) => say!("{} of {limit}", dollars(spent)),
        None => dollars(spent),
    }
}

fn percent(Micros(spent): Micros, Micros(limit): Micros) -> i64 {
    spent.saturating_mul(100).checked_div(limit).unwrap_or(100)
}

fn level(percent: i64) -> &'static str {
    match percent {
        ..80 => "calm",
        80..100 => "warn",
        100.. => "danger",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Caps, SpentSoFar};

    #[test]
    fn the_meter_warns_from_eighty_percent_on() {
        for (spent, limit, expected) in [
            (0, 1_000_000, (0, "calm")),
            (799_999, 1_000_000, (79, "calm")),
            (800_000, 1_000_000, (80, "warn")),
            (1_000_000, 1_000_000, (100, "danger")),
            (3_000_000, 1_000_000, (300, "danger")),
            (0, 0, (100, "danger")),
        ] {
            let percent = percent(Micros(spent), Micros(limit));
            assert_eq!((percent, level(percent)), expected, "{spent} of {limit}");
        }
    }

    #[test]
    fn a_budget_is_told_by_its_shortest_period() {
        let spent = SpentSoFar { day: Micros(120_000), month: Micros(2_000_000), ever: Micros(3_000_000) };
        let limit = Some(Micros(5_000_000));
        for (caps, expected) in [
            (Caps::default(), "No limit"),
            (Caps { per_call: limit, ..Caps::default() }, "At most $5.00 a call"),
            (Caps { per_call: limit, per_run: limit, ..Caps::default() }, "At most $5.00 a run"),
            (Caps { ever: limit, per_run: limit, ..Caps::default() }, "$3.00 of $5.00 in all"),
            (Caps { per_month: limit, ever: limit, ..Caps::default() }, "$2.00 of $5.00 this month"),
            (Caps { per_day: limit, per_month: limit, ..Caps::default() }, "$0.1200 of $5.00 today"),
        ] {
            assert_eq!(in_short(Budget { caps, spent }), expected);
        }
    }
}
