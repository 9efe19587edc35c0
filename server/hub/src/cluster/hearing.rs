//! Whether NATS carries what is said to this node. It says a word to itself, again and again: a connection that is
//! silent tells nothing of that by itself.

use super::{Cluster, Node};
use crate::clock::Moment;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Of the subject that its words to itself have.
pub(super) const ECHO: &str = "echo";
/// How long a node keeps its people that hears nothing while others do. Longer than they need to come back to a NATS
/// that was away for all, one after the other.
const PATIENCE_MS: i64 = 20_000;

/// What a node hears of itself.
#[derive(Default)]
pub(super) struct Hearing {
    heard: Mutex<Heard>,
    cut_off: CancellationToken,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heard {
    /// How long its last word was under way, in microseconds. Absent: it did not come back.
    nats_us: Option<i64>,
    /// Since when it hears nothing and others do.
    deaf_since: Option<Moment>,
}

impl Heard {
    /// `true`: it has been so for too long.
    fn compare(&mut self, do_others_hear: bool, at: Moment) -> bool {
        if self.nats_us.is_some() || !do_others_hear {
            self.deaf_since = None;
            return false;
        }
        at.ms_since(*self.deaf_since.get_or_insert(at)) >= PATIENCE_MS
    }
}

impl Hearing {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn nats_us(&self) -> Option<i64> {
        self.heard().nats_us
    }

    pub(super) fn compare(&self, do_others_hear: bool, at: Moment) {
        if self.heard().compare(do_others_hear, at) {
            self.cut_off.cancel();
        }
    }
}

impl Cluster<'_> {
    /// Says a word to itself, and waits for it.
    pub(crate) async fn hear_itself(self) {
        let Some(node) = self.node() else { return };
        let began = Instant::now();
        let is_back = node.is_linked.load(Ordering::SeqCst) && node.hears_itself().await;
        node.hearing.heard().nats_us =
            is_back.then(|| i64::try_from(began.elapsed().as_micros()).unwrap_or(i64::MAX));
    }

    /// Others have NATS, and this node does not: whom it does not serve itself it reaches no more.
    pub fn is_deaf(self) -> bool {
        self.node().is_some_and(|node| node.hearing.heard().deaf_since.is_some())
    }

    /// Ready when it has been so for so long that its people are better off with the others.
    pub async fn cut_off(self) {
        match self.node() {
            Some(node) => node.hearing.cut_off.cancelled().await,
            None => std::future::pending().await,
        }
    }

    pub fn is_cut_off(self) -> bool {
        self.node().is_some_and(|node| node.hearing.cut_off.is_cancelled())
    }
}

impl Node {
    async fn hears_itself(&self) -> bool {
        match self.joined() {
            Ok(joined) => joined.nats.ask(&format!("{}.{ECHO}", self.id), Vec::new()).await.is_some(),
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_cut_off_that_alone_hears_nothing_for_long_and_no_other() {
        let (hears, deaf) = (Some(300), None);
        // What it hears itself, whether others hear, and when; and whether it is cut off.
        let story = [
            (hears, true, 0, false),
            (deaf, true, 1_000, false),
            (deaf, true, 20_999, false),
            (hears, true, 21_000, false),
            (deaf, true, 22_000, false),
            // All are without NATS: it stays.
            (deaf, false, 50_000, false),
            (deaf, false, 90_000, false),
            (deaf, true, 91_000, false),
            (deaf, true, 110_999, false),
            (deaf, true, 111_000, true),
        ];
        let mut heard = Heard::default();
        for (nats_us, do_others_hear, at, is_cut_off) in story {
            heard.nats_us = nats_us;
            assert_eq!(heard.compare(do_others_hear, Moment(at)), is_cut_off, "at {at}");
        }
    }
}
