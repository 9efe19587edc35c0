//! Words that say when they were said: how old they are where they are heard.

use std::sync::LazyLock;
use std::time::Instant;

/// Digits of a stamp.
const DIGITS: u32 = 16;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

fn micros() -> u64 {
    u64::try_from(BEGAN.elapsed().as_micros()).expect("nothing is measured for so long")
}

pub fn word() -> String {
    format!("@{:0width$} ", micros(), width = DIGITS as usize)
}

/// Finds stamps in a stream of bytes, whatever pieces it comes in.
#[derive(Default)]
pub struct Stamps {
    value: u64,
    /// Of the stamp that has begun. Absent: none has.
    digits: Option<u32>,
}

impl Stamps {
    /// How old those are that end in these bytes, in milliseconds.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<f64> {
        let (now, mut ages) = (micros(), Vec::new());
        for &byte in bytes {
            match (byte, self.digits) {
                (b'@', _) => (self.value, self.digits) = (0, Some(0)),
                (b'0'..=b'9', Some(digits)) => {
                    self.value = self.value * 10 + u64::from(byte - b'0');
                    self.digits = Some(digits + 1).filter(|digits| *digits < DIGITS);
                    if self.digits.is_none() {
                        let age = u32::try_from(now.saturating_sub(self.value)).unwrap_or(u32::MAX);
                        ages.push(f64::from(age) / 1e3);
                    }
                }
                _ => self.digits = None,
            }
        }
        ages
    }
}
