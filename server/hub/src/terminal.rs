//! Commands of agents. Each runs in a room of its own: a folder made from the agent's files, in namespaces where there
//! is nothing else but the programs of the machine, read-only. No network but a way out that the hub serves, for those
//! that have one; no other process, no device, no rights. What it changed is read back when all of it has ended. One in
//! the background, a job, keeps its room until it ends.
//!
//! Where the machine cannot confine a command, none is run.

mod allowance;
mod confine;
mod enter;
mod folder;
mod ground;
mod job;
mod job_output;
mod jobs;
mod output;
mod program;
mod reading;
mod refused_calls;
mod run;
mod session;
mod sessions;
mod watch;
mod way_out;

pub(crate) use allowance::Allowed;
pub use allowance::TerminalOfAll;
pub use enter::{Entrance, Most, enter};
pub(crate) use folder::{Change, FolderChange, Left, LeftRoom, RoomFile, Within};
pub(crate) use job::{Job, Last, NewJob, UnderWay};
pub use jobs::OwnTerminalJobs;
pub(crate) use output::{Filed, HEAD, Output, plain};
pub(crate) use program::{Spoken, is_own_variable};
pub(crate) use run::{EmptyRoom, Ended, Order, Ran};
pub(crate) use session::Session;
pub(crate) use way_out::{Gate, Pace, Reached, WayOut};

use crate::Hub;
use crate::fair_queue::FairQueue;
use ground::Ground;
use jobs::Jobs;
use protocol::UserId;
use protocol::view::TerminalUse;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::sync::OnceCell;

/// One place is always for somebody else.
const FEWEST_PLACES: usize = 2;
/// Commands of one person that may wait.
const WAITING: usize = 32;
/// Jobs of all people at once, for each processor, and programs that are spoken to.
const JOBS_PER_PROCESSOR: usize = 4;
const PROGRAMS_PER_PROCESSOR: usize = 8;

/// Why a command was not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TerminalError {
    #[error("this hub runs no commands for you: its administrator says who may have a terminal")]
    NotForThem,
    #[error(
        "the minutes that its person's commands may run in a day are over; the next day begins at midnight, UTC"
    )]
    NoTime,
    #[error("whoever runs this hub has switched commands off: VIVARIUM_TERMINAL says so")]
    SwitchedOff,
    #[error("this machine cannot confine a command, so none is run: {0}")]
    NotHere(String),
    #[error("too many of the same person's commands wait for their turn already; try again in a moment")]
    Busy,
    #[error("as many jobs of the same person run already as may; stop one first")]
    NoPlace,
    #[error("its room could not be made: {0}")]
    NoRoom(String),
}

pub(crate) struct Terminal {
    program: PathBuf,
    /// A folder that programs see that are spoken to.
    programs: Option<PathBuf>,
    /// As whoever runs the hub says.
    whose: TerminalUse,
    queue: FairQueue<UserId>,
    /// Nobody waits for one.
    job_places: FairQueue<UserId>,
    /// Nor for one of these.
    program_places: FairQueue<UserId>,
    jobs: Jobs,
    ground: OnceCell<Result<Arc<Ground>, String>>,
}

impl Hub {
    pub(crate) fn terminal(&self) -> &Terminal {
        &self.0.terminal
    }

    /// Whether commands of agents can be confined here, or why not, in a line for an administrator.
    pub async fn examine_terminal(&self) -> Result<String, String> {
        let terminal = self.terminal();
        if terminal.whose == TerminalUse::Nobody {
            return Ok("switched off".to_owned());
        }
        terminal.ground().await.map(|_| "commands of agents can be confined".to_owned())
    }
}

impl Terminal {
    /// `program room COMMAND` has to end in [`enter()`].
    pub(crate) fn new(program: PathBuf, programs: Option<PathBuf>, whose: TerminalUse) -> Self {
        let places = available_parallelism().map_or(FEWEST_PLACES, NonZero::get).max(FEWEST_PLACES);
        Self {
            program,
            programs,
            whose,
            queue: FairQueue::new(places, WAITING),
            job_places: FairQueue::new(places * JOBS_PER_PROCESSOR, 0),
            program_places: FairQueue::new(places * PROGRAMS_PER_PROCESSOR, 0),
            jobs: Jobs::default(),
            ground: OnceCell::new(),
        }
    }

    /// Found out once.
    async fn ground(&self) -> Result<Arc<Ground>, String> {
        let ground =
            self.ground.get_or_init(|| Ground::prepare(self.program.clone(), self.programs.clone())).await;
        ground.clone()
    }
}
