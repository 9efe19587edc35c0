//! One command in the background: what it says, what it is told, and how it ends.

use super::folder::{Folder, Left};
use super::job_output::{JobOutput, Part};
use super::reading::When;
use super::run::{EmptyRoom, Ended, First, Order, Room, prepare, read_back};
use super::watch::Bounds;
use super::way_out::Traffic;
use super::{Allowed, Terminal, TerminalError};
use crate::clock::{Clock, Moment};
use crate::fair_queue::Permit;
use crate::files::{FilePath, Mount};
use protocol::view::JobEnding;
use protocol::{AgentId, FolderId, UserId};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::{Mutex as Turns, Notify};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How long what is written to a job may wait to be taken.
const TO_TAKE: Duration = Duration::from_secs(5);

pub(crate) struct Job {
    /// The agent at the top.
    pub(crate) agent: AgentId,
    pub(crate) number: u32,
    pub(crate) began: Moment,
    /// Where the files of each mount came from.
    pub(crate) folders: BTreeMap<Mount, FolderId>,
    /// Whether strangers may have written what it began with.
    began_untrusted: bool,
    /// What it reached.
    pub(crate) traffic: Arc<Traffic>,
    output: Mutex<JobOutput>,
    input: Turns<Option<ChildStdin>>,
    /// Gone when all that it changed was kept.
    folder: Turns<Option<Arc<Folder>>>,
    /// What became of its files and nobody was told yet.
    untold: Mutex<Option<Value>>,
    /// Why it is to end, by whoever says so first.
    wish: OnceLock<JobEnding>,
    end: CancellationToken,
    ending: OnceLock<(JobEnding, Moment)>,
    /// It said something, or has ended.
    news: Notify,
}

/// A job with its room. What is in the room ends when this is dropped.
pub(crate) struct UnderWay {
    pub(crate) job: Arc<Job>,
    room: Room,
    bounds: Bounds,
    _place: Permit<UserId>,
}

/// Which job it is.
pub(crate) struct NewJob {
    pub(crate) agent: AgentId,
    pub(crate) number: u32,
    pub(crate) folders: BTreeMap<Mount, FolderId>,
    pub(crate) untrusted: bool,
}

impl Terminal {
    /// A room for a command in the background, if there is a place for one more of its person's.
    pub(crate) async fn job_room(&self, allowed: &Allowed) -> Result<EmptyRoom, TerminalError> {
        let ground = self.ground().await.map_err(TerminalError::NotHere)?;
        let place = self.job_places.enter(&allowed.owner).await.map_err(|_| TerminalError::NoPlace)?;
        EmptyRoom::make(ground, place, allowed.most).await
    }

    pub(crate) async fn begin(
        &self,
        room: EmptyRoom,
        new: NewJob,
        order: &Order,
        clock: &Clock,
    ) -> Result<UnderWay, TerminalError> {
        let EmptyRoom { ground, folder, place, way_out, most } = room;
        prepare(&folder, order).await?;
        let traffic = way_out.as_ref().map(|way_out| Arc::clone(&way_out.traffic)).unwrap_or_default();
        let first = First::Command(order);
        let mut room = Room::start(&ground, Arc::clone(&folder), first, Stdio::piped(), way_out, most)?;
        let NewJob { agent, number, folders, untrusted } = new;
        let job = Arc::new(Job {
            agent,
            number,
            began: clock.moment(),
            folders,
            began_untrusted: untrusted,
            traffic,
            output: Mutex::default(),
            input: Turns::new(room.input()),
            folder: Turns::new(Some(folder)),
            untold: Mutex::default(),
            wish: OnceLock::new(),
            end: CancellationToken::new(),
            ending: OnceLock::new(),
            news: Notify::new(),
        });
        self.jobs.add(Arc::clone(&job));
        Ok(UnderWay { job, room, bounds: Bounds::of_job(most), _place: place })
    }
}

impl UnderWay {
    /// Waits until nothing of it runs any more.
    pub(crate) async fn attend(self, clock: &Clock, lifetime: Duration) -> JobEnding {
        let Self { job, room, bounds, _place } = self;
        let lifetime_ms = i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX);
        let over = async {
            tokio::select! {
                () = job.end.cancelled() => Ended::Stopped,
                () = clock.until(job.began.plus_ms(lifetime_ms)) => Ended::TimedOut,
            }
        };
        let heard = |part: &[u8]| {
            job.output().take(part);
            job.news.notify_waiters();
        };
        let ended = room.attend(bounds, over, heard).await;
        *job.input.lock().await = None;
        match ended {
            Err(error) => JobEnding::NotRun { why: error.to_string() },
            Ok((Ended::Exited(code), _)) => JobEnding::Exited { code },
            Ok((Ended::Killed(signal), _)) => JobEnding::Killed { signal },
            Ok((Ended::TimedOut, _)) => JobEnding::TimeOver,
            Ok((Ended::Exceeded(what), _)) => JobEnding::Exceeded { what: what.to_owned() },
            Ok((Ended::Stopped, _)) => job.wish.get().cloned().unwrap_or(JobEnding::HubEnded),
        }
    }
}

impl Job {
    fn output(&self) -> MutexGuard<'_, JobOutput> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether strangers may have written something of what it works with by now.
    pub(crate) fn is_untrusted(&self) -> bool {
        self.began_untrusted || self.traffic.is_any()
    }

    /// From that byte on, or from where it was read last.
    pub(crate) fn read(&self, from: Option<u64>) -> Part {
        self.output().read(from)
    }

    pub(crate) fn last_lines(&self) -> String {
        self.output().last_lines()
    }

    /// None: it runs, or what it changed is not kept yet.
    pub(crate) fn ending(&self) -> Option<&JobEnding> {
        self.ending.get().map(|(ending, _)| ending)
    }

    /// How long it has run until now, or did.
    pub(crate) fn seconds(&self, now: Moment) -> f64 {
        let until = self.ending.get().map_or(now, |(_, at)| *at);
        until.ms_since(self.began) as f64 / 1000.0
    }

    /// Bytes that it has said so far.
    pub(crate) fn said(&self) -> u64 {
        self.output().end()
    }

    /// Returns when there is something to read, or when it has ended.
    pub(crate) async fn has_news(&self, from: Option<u64>) {
        loop {
            let news = self.news.notified();
            if self.ending().is_some() || self.output().has_unread(from) {
                return;
            }
            news.await;
        }
    }

    pub(crate) async fn has_ended(&self) {
        loop {
            let news = self.news.notified();
            if self.ending().is_some() {
                return;
            }
            news.await;
        }
    }

    /// Has all of it end soon.
    pub(crate) fn stop(&self, wish: JobEnding) {
        // Whoever was first has said why.
        let _ = self.wish.set(wish);
        self.end.cancel();
    }

    /// Writes to its input. The error says why that could not be.
    pub(crate) async fn write(&self, text: &str, last: Last) -> Result<(), &'static str> {
        let mut input = self.input.lock().await;
        let Some(pipe) = input.as_mut() else { return Err("it takes no more input") };
        match timeout(TO_TAKE, pipe.write_all(text.as_bytes())).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Err("it does not read its input any more"),
            Err(_) => return Err("it has not read what it was given before; some of this was given to it"),
        }
        if last == Last::Yes {
            *input = None;
        }
        Ok(())
    }

    /// What is different in its files, for `keep` to keep, one at a time. None: that was looked at for the last time.
    pub(crate) async fn changes(&self) -> Option<Changes<'_>> {
        let turn = self.folder.lock().await;
        turn.is_some().then_some(Changes { turn })
    }

    /// Notes what became of its files since somebody was told.
    pub(crate) fn note_untold(&self, kept: Value) {
        *self.untold.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    pub(crate) fn take_untold(&self) -> Option<Value> {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// All of it is over.
    pub(crate) fn close(&self, ending: JobEnding, at: Moment) {
        let _ = self.ending.set((ending, at));
        self.news.notify_waiters();
    }
}

/// Whether more input comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    Yes,
    No,
}

/// The files of a job, which nobody else looks at meanwhile.
pub(crate) struct Changes<'a> {
    turn: tokio::sync::MutexGuard<'a, Option<Arc<Folder>>>,
}

impl Changes<'_> {
    pub(crate) async fn while_it_runs(&self) -> Result<Left, TerminalError> {
        self.read(When::Running).await
    }

    /// Nothing of it may run any more.
    pub(crate) async fn at_its_end(&self) -> Result<Left, TerminalError> {
        self.read(When::AtRest).await
    }

    async fn read(&self, when: When) -> Result<Left, TerminalError> {
        match self.turn.as_ref() {
            Some(folder) => read_back(folder, when).await,
            None => Ok(Left::default()),
        }
    }

    /// What is the same from now on is no change.
    pub(crate) fn note_kept(&self, mount: Mount, kept: Vec<(FilePath, Option<String>)>) {
        if let Some(folder) = self.turn.as_ref() {
            folder.note_kept(mount, kept);
        }
    }

    /// Lets go of the room.
    pub(crate) fn are_all(mut self) {
        *self.turn = None;
    }
}
