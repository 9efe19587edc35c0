//! How often a job is looked at.

/// For how long a job is followed, and for how long it is looked for where it should have begun.
pub(super) const LONGEST_MS: i64 = 24 * 60 * 60 * 1000;
pub(super) const TO_APPEAR_MS: i64 = 2 * 60 * 1000;
/// What failed for good so often in a row is given up.
pub(super) const MOST_FAILURES: i64 = 5;
const SECOND_MS: i64 = 1000;
const LONGEST_PAUSE_MS: i64 = 5 * 60 * SECOND_MS;

/// From one look to the next: of a job that old, where so many are under way at the same service, after so many
/// looks in a row that failed.
pub(super) fn pause_ms(age_ms: i64, under_way: i64, failures: i64) -> i64 {
    let usual = match age_ms / SECOND_MS {
        ..60 => 2 * SECOND_MS,
        60..600 => 5 * SECOND_MS,
        600..3600 => 15 * SECOND_MS,
        _ => 60 * SECOND_MS,
    };
    let more = 1_i64 << failures.clamp(0, 8);
    usual.saturating_mul(under_way.max(1)).saturating_mul(more).min(LONGEST_PAUSE_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_asked_the_less_the_older_the_more_and_the_worse() {
        for (age_s, under_way, failures, seconds) in [
            (0, 1, 0, 2),
            (0, 5, 0, 10),
            (60, 1, 0, 5),
            (60, 10, 0, 50),
            (700, 1, 0, 15),
            (4000, 1, 0, 60),
            (0, 1, 1, 4),
            (0, 1, 3, 16),
            (4000, 10, 8, 300),
            (0, 0, 1000, 300),
        ] {
            assert_eq!(pause_ms(age_s * 1000, under_way, failures), seconds * 1000, "{age_s} {under_way}");
        }
    }
}
