//! Codes by time (RFC 6238) as every authenticator app makes them: HMAC-SHA-1, six digits, a new one
//! each half minute.

use crate::clock::random;
use crate::vault::Secret;
use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use std::fmt;

const STEP_MS: i64 = 30_000;
const DIGITS: u32 = 1_000_000;

/// What the codes of one person come from. Never printed.
#[derive(Clone)]
pub(super) struct Seed([u8; 20]);

impl Seed {
    pub(super) fn new() -> Self {
        Self(random())
    }

    pub(super) fn from_secret(secret: &Secret) -> Option<Self> {
        let bytes = BASE32_NOPAD.decode(secret.expose().as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    pub(super) fn to_secret(&self) -> Secret {
        Secret::new(self.text())
    }

    /// As people type it into an app.
    pub(super) fn text(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// The half minutes whose code this is: the one of now, the one before and the one after, for
    /// clocks that are a little off.
    pub(super) fn steps_of(&self, code: u32, now: i64) -> Vec<i64> {
        let step = now / STEP_MS;
        (step - 1..=step + 1).filter(|step| self.code(*step) == code).collect()
    }

    fn code(&self, step: i64) -> u32 {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&step.to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let at = usize::from(digest[19] & 15);
        let word = [digest[at] & 0x7f, digest[at + 1], digest[at + 2], digest[at + 3]];
        u32::from_be_bytes(word) % DIGITS
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[seed]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of RFC 6238, appendix B, whose codes have eight digits, of which these are the last.
    #[test]
    fn the_codes_are_those_of_the_standard() {
        let seed = Seed(*b"12345678901234567890");
        for (seconds, code) in [
            (59, 287_082),
            (1_111_111_109, 81_804),
            (1_111_111_111, 50_471),
            (1_234_567_890, 5_924),
            (2_000_000_000, 279_037),
            (20_000_000_000, 353_130),
        ] {
            assert_eq!(seed.code(seconds * 1000 / STEP_MS), code, "{seconds}");
            assert_eq!(seed.steps_of(code, seconds * 1000), [seconds / 30], "{seconds}");
        }
    }

    #[test]
    fn a_code_counts_half_a_minute_before_and_after_its_own() {
        let seed = Seed(*b"12345678901234567890");
        let step = 1_234_567_890 / 30;
        let code = seed.code(step);
        for (away, counts) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)] {
            let found = seed.steps_of(code, (step + away) * STEP_MS);
            assert_eq!(found.contains(&step), counts, "{away}");
        }
    }

    #[test]
    fn a_seed_survives_the_way_into_the_vault_and_out() {
        let seed = Seed::new();
        assert_eq!(Seed::from_secret(&seed.to_secret()).map(|seed| seed.0), Some(seed.0));
        assert_eq!(seed.text().len(), 32);
        assert!(Seed::from_secret(&Secret::new("not base32".to_owned())).is_none());
    }
}
