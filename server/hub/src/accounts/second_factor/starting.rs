//! Second factors that are being set up: made for a device, and not turned on before a code shows that
//! an app has them. In memory only, for a few minutes.

use super::totp::Seed;
use crate::clock::Moment;
use protocol::DeviceId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

const KEPT_MS: i64 = 15 * 60 * 1000;

#[derive(Default)]
pub(crate) struct Starting(Mutex<HashMap<DeviceId, PendingEnrolment>>);

struct PendingEnrolment {
    until: Moment,
    seed: Seed,
}

impl Starting {
    pub(super) fn put(&self, device: DeviceId, seed: Seed, now: Moment) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.until > now);
        kept.insert(device, PendingEnrolment { until: now.plus_ms(KEPT_MS), seed });
    }

    pub(super) fn get(&self, device: &DeviceId, now: Moment) -> Option<Seed> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(device).filter(|kept| kept.until > now).map(|kept| kept.seed.clone())
    }

    pub(super) fn forget(&self, device: &DeviceId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(device);
    }
}

impl fmt::Debug for Starting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Starting")
    }
}
