//! How often the page in one tab may write. The shell thins what a page writes; this is for a tab that
//! does not.

use crate::buckets::{Buckets, Rate, Wait};
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
    pub(crate) fn pass(&self, agent: &AgentId, now: i64) -> Result<()> {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.take(agent.clone(), now).map_err(|Wait(_)| {
            let Rate { per_second, .. } = RATE;
            Error::Limit(format!(
                "The page writes more than {per_second} times a second, and this write was not kept. Write less often."
            ))
        })
    }
}
