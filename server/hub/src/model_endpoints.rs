//! Other programs that call a person's models, in the words of OpenAI's and Anthropic's APIs: under which
//! names they find them, and what each call used. How a model is called is the same for everybody
//! (`models`).

mod agents;
mod answer;
mod fetched;
mod lists;
mod metered;
mod names;

pub use agent::model_endpoints::{Api, ApiError, ApiErrorKind};
pub use answer::{Body, Reply};
pub use names::NamedModel;

use crate::Hub;
use crate::access::{Program, Scoped};
use crate::fair_queue::FairQueue;
use crate::store::ReadCache;
use fetched::Fetching;
use lists::Lists;
use names::NamedProvider;
use protocol::UserId;
use std::sync::Arc;

/// What a program can do.
#[derive(Clone, Copy, Debug)]
pub struct Calling<'a> {
    hub: &'a Hub,
    program: &'a Program,
}

impl Hub {
    pub fn for_program<'a>(&'a self, program: &'a Program) -> Calling<'a> {
        Calling { hub: self, program }
    }

    fn fetching(&self) -> &FairQueue<UserId> {
        &self.0.model_endpoints.fetching.0
    }

    fn model_lists(&self) -> &Lists {
        &self.0.model_endpoints.model_lists
    }

    fn named(&self) -> &ReadCache<UserId, Arc<[NamedProvider]>> {
        &self.0.model_endpoints.named
    }
}

#[derive(Default)]
pub(crate) struct InMemory {
    fetching: Fetching,
    model_lists: Lists,
    /// What each person's programs can name.
    named: ReadCache<UserId, Arc<[NamedProvider]>>,
}

impl<'a> Calling<'a> {
    fn person(&self) -> Scoped<'a> {
        self.hub.for_viewer(&self.program.viewer)
    }
}
