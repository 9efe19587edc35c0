//! Jobs that agents have carried out elsewhere: where that may be, what was started there, how it goes on, and what
//! it says. Each stands in a row, which is looked at until the job has ended, whichever process began it. Whether an
//! agent may start one is the gateway's to say.

mod cancel;
mod check;
mod client;
mod failure;
mod follow;
mod github;
mod kept_log;
mod own;
mod pace;
mod rows;
mod services;
mod shape;
mod start;
mod tell;

pub(crate) use own::JobStanding;
pub(crate) use start::JobRequest;

use crate::Hub;
use crate::access::Scoped;
use crate::fair_queue::FairQueue;
use protocol::{ExternalJobId, UserId};
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The job services of the viewer.
#[derive(Clone, Copy, Debug)]
pub struct OwnJobServices<'a> {
    scoped: Scoped<'a>,
}

/// What the viewer's agents started elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct OwnExternalJobs<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn job_services(&self) -> OwnJobServices<'a> {
        OwnJobServices { scoped: *self }
    }

    pub fn external_jobs(&self) -> OwnExternalJobs<'a> {
        OwnExternalJobs { scoped: *self }
    }
}

/// What all agents started elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExternalJobs<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn external_jobs(&self) -> ExternalJobs<'_> {
        ExternalJobs { hub: self }
    }
}

/// Requests at a time, and how many of a person may wait.
const REQUESTS: usize = 32;
const WAITING: usize = 64;

#[derive(Debug)]
pub(crate) struct InMemory {
    requests: FairQueue<UserId>,
    /// Those that are looked at right now.
    under_way: Mutex<HashSet<ExternalJobId>>,
    /// One may be due at another time than before.
    due: Notify,
    /// Something was noted of one.
    news: Notify,
}

impl Default for InMemory {
    fn default() -> Self {
        Self {
            requests: FairQueue::new(REQUESTS, WAITING),
            under_way: Mutex::default(),
            due: Notify::new(),
            news: Notify::new(),
        }
    }
}

impl InMemory {
    fn under_way(&self) -> MutexGuard<'_, HashSet<ExternalJobId>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
