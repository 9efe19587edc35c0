//! How long a connection may keep the hub waiting that does not take what is sent to it.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// Waiting that a connection may cause in all.
const MAX_WAITING: Duration = Duration::from_secs(60);
/// What who takes a byte may cause of it anew: 1 KB is a second.
const A_BYTE: Duration = Duration::from_nanos(1_000_000_000 / 1024);

/// Wears out while bytes wait, and comes back with what is taken: who takes a byte now and then does
/// not keep it.
#[derive(Debug)]
pub(super) struct Patience {
    left: Duration,
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    since: Instant,
    until: Pin<Box<Sleep>>,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self { left: MAX_WAITING, waiting: None }
    }

    /// Comes when there has been enough of waiting. To be asked whenever bytes could not be sent.
    pub(super) fn poll_spent(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let left = self.left;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Waiting { since: Instant::now(), until: Box::pin(sleep(left)) });
        waiting.until.as_mut().poll(cx)
    }

    /// So many bytes were taken.
    pub(super) fn renew(&mut self, bytes: usize) {
        if let Some(Waiting { since, until: _ }) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let earned = A_BYTE.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        self.left = self.left.saturating_add(earned).min(MAX_WAITING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use tokio::time::advance;

    /// How long it lasts when every ten seconds so many bytes are taken.
    #[expect(clippy::disallowed_methods, reason = "this is a test, whose clock may be moved")]
    async fn lasts(bytes: usize) -> Option<Duration> {
        let (mut patience, started) = (Patience::new(), Instant::now());
        for _ in 0..100 {
            for pause in [Duration::ZERO, Duration::from_secs(10)] {
                advance(pause).await;
                if poll_fn(|cx| Poll::Ready(patience.poll_spent(cx).is_ready())).await {
                    return Some(started.elapsed());
                }
            }
            patience.renew(bytes);
        }
        None
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_little_wears_it_out_and_who_takes_enough_does_not() {
        for (bytes, seconds) in [(0, Some(60)), (1, Some(70)), (5 * 1024, Some(110)), (11 * 1024, None)] {
            assert_eq!(lasts(bytes).await, seconds.map(Duration::from_secs), "{bytes}");
        }
    }
}
