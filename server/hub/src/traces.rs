//! Traces and figures for whoever runs the hub, sent to a collector of OpenTelemetry by the names of its conventions
//! for generative AI. Off unless a collector is named. Nothing that anybody said is in them, no name that somebody
//! gave, but for those of models, and no id of a person, an agent or a run.

mod call;
mod counted;
mod export;
mod figures;
mod open_runs;
mod span;

pub(crate) use call::CallTrace;
pub(crate) use export::Sent;
pub use export::TracePlan;

use crate::Hub;
use crate::clock::{Clock, random};
use crate::log::Observer;
use export::Export;
use figures::Figures;
use open_runs::OpenRuns;
use opentelemetry_proto::tonic::trace::v1::Span;
use protocol::RunId;
use protocol::log::Entry;
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct Traces {
    /// `None`: no collector is named.
    on: Option<On>,
}

struct On {
    clock: Clock,
    /// Ids of traces follow from it and those of runs, so that nobody finds a run by its trace.
    salt: [u8; 32],
    under_way: Mutex<OpenRuns>,
    figures: Mutex<Figures>,
    export: Export,
}

impl Hub {
    pub(crate) fn traces(&self) -> &Arc<Traces> {
        &self.0.traces
    }
}

impl Traces {
    pub(crate) fn new(plan: Option<TracePlan>, clock: Clock) -> Self {
        let on = plan.map(|plan| On {
            salt: random(),
            under_way: Mutex::default(),
            figures: Mutex::new(Figures::since(clock.now())),
            export: Export::new(plan),
            clock,
        });
        Self { on }
    }

    /// How many spans went to the collector, and how many did not.
    pub(crate) fn sent(&self) -> Sent {
        self.on.as_ref().map_or_else(Sent::default, |on| on.export.sent())
    }
}

impl Observer for Traces {
    fn committed(&self, entries: &[Entry]) {
        let Some(on) = &self.on else { return };
        for entry in entries {
            let Some(run) = &entry.run else { continue };
            let span = on.under_way().note(run, entry, |what| on.id(what, run));
            if let Some(span) = span {
                on.take(Span { trace_id: on.trace(run), ..span });
            }
        }
    }
}

impl On {
    fn take(&self, span: Span) {
        self.export.take(span);
    }

    fn trace(&self, run: &RunId) -> Vec<u8> {
        self.digest("trace", run)[..16].to_vec()
    }

    fn id(&self, what: &str, run: &RunId) -> Vec<u8> {
        self.digest(what, run)[..8].to_vec()
    }

    fn digest(&self, what: &str, run: &RunId) -> [u8; 32] {
        Sha256::new().chain_update(self.salt).chain_update(what).chain_update(&run.0).finalize().into()
    }

    fn under_way(&self) -> MutexGuard<'_, OpenRuns> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn figures(&self) -> MutexGuard<'_, Figures> {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
