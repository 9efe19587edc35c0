//! How often the page in one tab may write. The shell thins what a page writes; this is for a tab that
//! does not.

use crate::error::{Error, Result};
use std::sync::{Mutex, PoisonError};

/// Writes in a second, in the long run. The shell lets thirty through.
const PER_SECOND: i64 = 40;
/// Writes at once: all that a page can have, and what a shell kept while it had no connection.
const BURST: i64 = 800;

/// A bucket that counts thousandths of a write.
pub(crate) struct PageWrites(Mutex<Bucket>);

struct Bucket {
    left: i64,
    at: i64,
}

impl Default for PageWrites {
    fn default() -> Self {
        Self(Mutex::new(Bucket { left: BURST * 1000, at: i64::MIN }))
    }
}

impl PageWrites {
    /// Lets one write pass. What is refused was not done.
    pub(crate) fn pass(&self, now: i64) -> Result<()> {
        let mut bucket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = now.saturating_sub(bucket.at).max(0);
        bucket.left = bucket.left.saturating_add(since.saturating_mul(PER_SECOND)).min(BURST * 1000);
        bucket.at = now;
        if bucket.left < 1000 {
            return Err(Error::Limit(format!(
                "The page writes more than {PER_SECOND} times a second, and this write was not kept. Write less often."
            )));
        }
        bucket.left -= 1000;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(writes: &PageWrites, attempts: usize, now: i64) -> usize {
        (0..attempts).filter(|_| writes.pass(now).is_ok()).count()
    }

    #[test]
    fn a_burst_passes_and_then_forty_a_second() {
        let writes = PageWrites::default();
        assert_eq!(passed(&writes, 1_000, 0), 800);
        assert_eq!(passed(&writes, 1_000, 1_000), 40);
        assert_eq!(passed(&writes, 1_000, 1_500), 20);
        assert_eq!(passed(&writes, 1_000, 1_400), 0, "a clock that goes back brings nothing");
        assert_eq!(passed(&writes, 1_000, 100_000), 800);
    }
}
