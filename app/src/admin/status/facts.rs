//! Rows of a name and what holds, and the words for sizes, numbers and failures.

use crate::prelude::*;
use crate::ui::When;
use protocol::model::ModelFailureKind;

#[component]
pub(super) fn Facts(rows: Vec<(&'static str, AnyView)>) -> impl IntoView {
    let rows =
        rows.into_iter().map(|(name, holds)| view! { <tr><th scope="row">{name}</th><td>{holds}</td></tr> });
    view! { <table class="facts"><tbody>{rows.collect_view()}</tbody></table> }
}

pub(super) fn moment(at: Option<i64>, never: &'static str) -> AnyView {
    match at {
        Some(at) => view! { <When at/> }.into_any(),
        None => never.into_any(),
    }
}

pub(super) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return say!("{bytes} bytes");
    }
    let (mut whole, mut rest, mut unit) = (bytes / 1_000, bytes % 1_000, 0);
    while whole >= 1_000 && unit + 1 < UNITS.len() {
        (whole, rest, unit) = (whole / 1_000, whole % 1_000, unit + 1);
    }
    say!("{whole}.{tenths} {unit}", tenths = rest / 100, unit = UNITS[unit])
}

/// What a provider did, in a few words.
pub(super) fn failure_words(kind: ModelFailureKind) -> &'static str {
    t(match kind {
        ModelFailureKind::RateLimited => "too many calls",
        ModelFailureKind::Overloaded => "overloaded",
        ModelFailureKind::Unreachable => "not reached",
        ModelFailureKind::Timeout => "too slow",
        ModelFailureKind::NotThisKind => "speaks another wire",
        ModelFailureKind::Cut => "broke off",
        ModelFailureKind::Malformed => "not understood",
        ModelFailureKind::Server => "an error of its own",
        ModelFailureKind::NotConfigured
        | ModelFailureKind::OverBudget
        | ModelFailureKind::BadKey
        | ModelFailureKind::UnknownModel
        | ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::Aborted => "refused",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_told_in_the_unit_in_which_people_count_it() {
        for (size, expected) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 KB"),
            (1_949_999, "1.9 MB"),
            (64_000_000_000, "64.0 GB"),
            (2_500_000_000_000_000, "2500.0 TB"),
        ] {
            assert_eq!(bytes(size), expected);
        }
    }
}
