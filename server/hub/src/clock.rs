//! Time and chance, in their one place: everything else takes them as arguments or asks here.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The hub's clock. Never goes back, even if the system's does.
#[derive(Debug, Default)]
pub struct Clock {
    last: AtomicI64,
}

impl Clock {
    /// Unix milliseconds.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
    pub fn now(&self) -> i64 {
        let system = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        self.last.fetch_max(system, Ordering::Relaxed).max(system)
    }
}

/// A new id: unique, sortable by the time it was made.
pub fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

/// `N` bytes from the system's random source.
#[expect(clippy::disallowed_methods, reason = "the one place that asks for chance")]
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a random source");
    bytes
}

/// A secret of 256 bits as URL-safe text, for cookies, tokens and links.
pub fn new_secret() -> String {
    use base64::Engine;
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(random::<32>())
}
