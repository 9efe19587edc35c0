//! How much later than its hour a time comes, so that not everything is due at once. It follows from the
//! schedule and the time alone: two hubs agree, and so does one that was away.

use sha2::{Digest, Sha256};

#[derive(Clone, Debug)]
pub(super) struct Jitter {
    of: String,
    most_ms: i64,
}

impl Jitter {
    pub(super) const NONE: Self = Self { of: String::new(), most_ms: 0 };

    pub(super) fn of(schedule: &str, seconds: u32) -> Self {
        Self { of: schedule.to_owned(), most_ms: i64::from(seconds) * 1000 }
    }

    /// At most `room_ms`.
    pub(super) fn delay_ms(&self, time: i64, room_ms: i64) -> i64 {
        let most = self.most_ms.min(room_ms);
        if most <= 0 {
            return 0;
        }
        let digest = Sha256::new().chain_update(&self.of).chain_update(time.to_be_bytes()).finalize();
        let chance = digest.iter().take(7).fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
        chance % (most + 1)
    }
}
