//! How often the page in one tab may write, and how much all pages of an agent. The shell thins what a
//! page writes; this is for a tab that does not, and for a page that writes much each time.

use crate::buckets::{Buckets, Rate, Wait};
use crate::clock::Moment;
use crate::error::{Error, Result};
use protocol::AgentId;
use std::sync::{Mutex, PoisonError};

/// The shell lets thirty through. At once may come all that a page can have, and what a shell kept while
/// it had no connection.
const RATE: Rate = Rate { per_second: 40, burst: 800 };
/// Agents that one tab shows at the same time, and that are told apart.
const AGENTS: usize = 64;

pub(crate) struct PageWrites(Mutex<Buckets<AgentId>>);

impl Default for PageWrites {
    fn default() -> Self {
        Self(Mutex::new(Buckets::new(RATE, AGENTS)))
    }
}

impl PageWrites {
    /// Lets one write pass. What is refused was not done.
    pub(crate) fn pass(&self, agent: &AgentId, now: Moment) -> Result<()> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.take(agent.clone(), now).map_err(|Wait(_)| {
            let Rate { per_second, .. } = RATE;
            Error::Limit(format!(
                "The page writes more than {per_second} times a second, and this write was not kept. Write less often."
            ))
        })
    }
}

/// Bytes of what an agent's pages say and write, wherever they are shown. At once may come all the state
/// that an agent has, many times over; in the long run thirty small values a second.
const BYTE_RATE: Rate = Rate { per_second: 4 * 1024, burst: 16 * 1024 * 1024 };
/// What the log keeps of each write, however little it says.
const EACH: usize = 128;
/// Agents that are told apart.
const WRITERS: usize = 10_000;

pub(crate) struct PageBytes(Mutex<Buckets<AgentId>>);

impl Default for PageBytes {
    fn default() -> Self {
        Self(Mutex::new(Buckets::new(BYTE_RATE, WRITERS)))
    }
}

impl PageBytes {
    /// Lets this many bytes pass. What is refused was not done.
    pub(crate) fn pass(&self, agent: &AgentId, bytes: usize, now: Moment) -> Result<()> {
        let taken = u32::try_from(bytes.saturating_add(EACH)).unwrap_or(u32::MAX);
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.take_many(agent.clone(), taken, now).map_err(|Wait(milliseconds)| {
            Error::Limit(format!(
                "The agent's pages have written as much as is kept for now, and this was not. Write less, or again in {} s.",
                (milliseconds + 999) / 1000
            ))
        })
    }
}
