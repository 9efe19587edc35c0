//! What others wrote, read and run where it can do no harm: the agent's page with no browser, documents, mails,
//! feeds, pictures, schemas of tools that agents make.
//!
//! Each piece of work is done by a process of its own, which gets what it works on and nothing else: no key,
//! no file, no network, no other process. What it does, and how, is in the modules below.

mod archive;
mod calculate;
mod calendar;
mod chart;
mod child;
mod convert;
mod documents;
mod dom;
mod feed;
mod fit;
mod job;
mod mail;
mod page_base;
mod page_links;
mod page_metadata;
mod page_part;
mod picture;
mod readable;
mod rights;
mod script;
pub(crate) mod structure;
mod symbols;
mod syntax;

pub use child::perform_one;
pub(crate) use convert::{Decimals, spreadsheet};
pub(crate) use dom::document::{Document, LISTENERS, Reading, Unread};
pub(crate) use job::{
    ArchiveFile, CalendarEntries, CalendarEntry, CalendarFile, ChartDraft, ChartKind, ChartTable,
    CodeLanguage, Conversion, DataFormat, DocumentFile, DocumentKind, DocumentPart, DocumentText, Done,
    DrawnChart, DrawnPage, Expression, FeedEntries, FeedEntry, FeedFile, Fit, HtmlPage, Job, LinksOf, Made,
    MailFile, MailText, MetadataOf, NamedPicture, PageLink, PageOf, PagePart, Paper, PartOf, Picture,
    PictureFile, PicturesOf, Readable, Servers, SheetOf, SheetRecords, SoundPicture, Still, SymbolPlace,
    SymbolSearch, SymbolsWanted, SyntaxCheck, Task, TextDraft, TextFormat, TextKind, Unfit, Unopened,
    Unpacked, Unreadable, Wanted,
};
pub use rights::give_up as give_up_rights;

use crate::Hub;
use crate::fair_queue::FairQueue;
use crate::nodes;
use job::Work;
use protocol::UserId;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::time::timeout;

/// What starting a process and writing down what came of it may take on top of the work's own time, on a machine that
/// does much else at once: the work itself has an end in time of the processor.
const PROCESS_OVERHEAD: Duration = Duration::from_secs(10);
/// Longest answer: a page and a state as large as they may be, and some air.
const ANSWER: u64 = 8 * 1024 * 1024;
/// Values in an answer: as many as a state of its full size has.
const VALUES: usize = 512 * 1024;
/// One place is always for somebody else.
const FEWEST_PLACES: usize = 2;
/// Pieces of work of one person that may wait.
const WAITING: usize = 256;

pub(crate) struct Engine {
    program: PathBuf,
    /// No more at once than there are processors: the others wait.
    queue: FairQueue<UserId>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    #[error("it did not finish in time and was ended; nothing that it did was kept")]
    TimedOut,
    #[error("it used more memory or time than there is and was ended; nothing that it did was kept")]
    Died,
    #[error("the hub could not start it: {0}")]
    NotStarted(io::Error),
    #[error("too much of the same person's waits for its turn already; try again in a moment")]
    Busy,
}

impl Hub {
    pub(crate) fn engine(&self) -> &Engine {
        &self.0.engine
    }
}

impl Engine {
    /// `program engine` has to end in [`perform_one`].
    pub(crate) fn new(program: PathBuf) -> Self {
        let places = available_parallelism().map_or(FEWEST_PLACES, NonZero::get).max(FEWEST_PLACES);
        Self { program, queue: FairQueue::new(places, WAITING) }
    }

    /// Does one piece of work for somebody. Whoever stops waiting for it ends it.
    pub(crate) async fn perform<T: Task>(
        &self,
        person: &UserId,
        task: T,
        limit: Duration,
    ) -> Result<T::Done, EngineError> {
        let _place = self.queue.enter(person).await.map_err(|_| EngineError::Busy)?;
        let work = task.into();
        let answer = timeout(limit + PROCESS_OVERHEAD, self.in_a_process(&work)).await;
        let answer = answer.map_err(|_| EngineError::TimedOut)??;
        if nodes::count(&answer) > VALUES {
            return Err(EngineError::Died);
        }
        serde_json::from_slice(&answer).map_err(|_| EngineError::Died)
    }

    async fn in_a_process(&self, work: &Work) -> Result<Vec<u8>, EngineError> {
        let mut child = Command::new(&self.program)
            .arg("engine")
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(EngineError::NotStarted)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut to, from) = pipes.expect("both were asked for");
        let work = serde_json::to_vec(work).expect("work is JSON");
        to.write_all(&work).await.map_err(|_| EngineError::Died)?;
        drop(to);
        let mut answer = Vec::new();
        from.take(ANSWER).read_to_end(&mut answer).await.map_err(|_| EngineError::Died)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::page::{SkinCommand, SkinPage};
    use serde_json::json;
    use std::collections::BTreeMap;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "what a test starts belongs to the test")]
    async fn what_one_person_s_agents_do_without_end_leaves_a_place_for_another_s() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        let program = "#!/bin/sh\nwork=$(/bin/cat)\ncase $work in *endless*) kill -STOP $$;; esac\n\
            echo '{\"Ok\":null}'\n";
        fs::write(&file, program).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o700)).unwrap();
        let engine = Arc::new(Engine::new(file));
        let work = |title: &str| Fit { schema: json!({ "title": title }), input: None };
        let endless: Vec<_> = (0..40)
            .map(|_| {
                let (engine, eve, work) = (Arc::clone(&engine), UserId::from("eve"), work("endless"));
                tokio::spawn(async move { engine.perform(&eve, work, Duration::from_secs(3600)).await })
            })
            .collect();
        while engine.queue.waiting(&UserId::from("eve")) == 0 {
            tokio::task::yield_now().await;
        }
        let ada = UserId::from("ada");
        for _ in 0..3 {
            engine.perform(&ada, work("short"), Duration::from_secs(3600)).await.unwrap().unwrap();
        }
        assert!(endless.iter().all(|one| !one.is_finished()));
        endless.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn a_process_that_does_not_answer_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let (at_once, in_an_hour) = (Duration::ZERO, Duration::from_secs(3600));
        for (program, time, expected) in [
            ("#!/bin/sh\nwhile :; do :; done\n", at_once, "did not finish in time"),
            ("#!/bin/sh\nexit 1\n", in_an_hour, "more memory or time"),
            ("#!/bin/sh\ncat > /dev/null; echo no\n", in_an_hour, "more memory or time"),
            (
                "#!/bin/sh\ncat > /dev/null; while :; do echo '                '; done\n",
                in_an_hour,
                "more memory or time",
            ),
            ("", in_an_hour, "could not start it"),
        ] {
            let file = folder.path().join("program");
            fs::write(&file, program).unwrap();
            let mode = if program.is_empty() { 0o600 } else { 0o700 };
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let command =
                SkinCommand::Dom { input: json!({ "action": "query", "selector": "a".repeat(200_000) }) };
            let job = Job { command, page: SkinPage::default(), state: BTreeMap::new() };
            let ada = UserId::from("ada");
            let error = Engine::new(file).perform(&ada, job, time).await.unwrap_err();
            assert!(error.to_string().contains(expected), "{program}: {error}");
        }
    }
}
