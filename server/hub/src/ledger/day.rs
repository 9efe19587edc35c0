//! Days as the ledger counts them: in UTC, as `2026-11-22`.

use crate::clock::in_utc;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The day of a moment in Unix milliseconds.
pub(crate) fn of(at: i64) -> String {
    in_utc(at).date().to_string()
}

/// The same as a number: days since 1970-01-01.
pub(crate) fn number_of(at: i64) -> i64 {
    at.div_euclid(DAY_MS)
}

/// The day of a number.
pub(super) fn named(number: i64) -> String {
    of(number.saturating_mul(DAY_MS))
}

/// The month of a moment in Unix milliseconds, as `2026-11`.
pub(crate) fn month_of(at: i64) -> String {
    month(&of(at)).to_owned()
}

/// The month of a day. Days of later ones, which a clock wrote down that was ahead, are not in it.
pub(super) fn month(day: &str) -> &str {
    day.get(..7).unwrap_or(day)
}

/// The first day of the same month.
pub(super) fn first_of_month(day: &str) -> String {
    format!("{}-01", month(day))
}

/// The day `back` days earlier.
pub(super) fn before(at: i64, back: i64) -> String {
    of(at.saturating_sub(back.saturating_mul(DAY_MS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        for (at, day, month) in [
            (0, "1970-01-01", "1970-01-01"),
            (-1, "1969-12-31", "1969-12-01"),
            (1_795_305_599_999, "2026-11-21", "2026-11-01"),
            (1_795_305_600_000, "2026-11-22", "2026-11-01"),
            (1_709_164_800_000, "2024-02-29", "2024-02-01"),
        ] {
            assert_eq!(of(at), day, "{at}");
            assert_eq!(named(number_of(at)), day, "{at}");
            assert_eq!(first_of_month(day), month);
            assert_eq!(month_of(at), month[..7]);
        }
        assert_eq!(before(1_795_305_600_000, 22), "2026-10-31");
    }
}
