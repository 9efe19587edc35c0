//! How long to wait before the next attempt to connect.

const FIRST_MS: f64 = 500.0;
const LONGEST_MS: f64 = 15_000.0;

#[derive(Debug, Default)]
pub struct Backoff {
    failures: i32,
}

impl Backoff {
    pub fn failures(&self) -> i32 {
        self.failures
    }

    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Milliseconds until the next attempt of a tab that was told to wait.
    pub fn longest_ms(chance: f64) -> u32 {
        (LONGEST_MS * (1.0 + chance.clamp(0.0, 1.0) / 2.0)) as u32
    }

    /// Milliseconds until the next attempt. `chance`, from 0 to 1, keeps the tabs of a hub that
    /// comes back from all knocking at once.
    pub fn next_ms(&mut self, chance: f64) -> u32 {
        let longest = (FIRST_MS * 2f64.powi(self.failures.min(10))).min(LONGEST_MS);
        self.failures += 1;
        (longest * (0.5 + chance.clamp(0.0, 1.0) / 2.0)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_fifteen_seconds_and_start_again_after_a_reset() {
        let mut backoff = Backoff::default();
        let waits: Vec<u32> = (0..8).map(|_| backoff.next_ms(1.0)).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
        backoff.reset();
        assert_eq!(backoff.next_ms(0.0), 250);
        assert_eq!([Backoff::longest_ms(0.0), Backoff::longest_ms(1.0)], [15_000, 22_500]);
    }
}
