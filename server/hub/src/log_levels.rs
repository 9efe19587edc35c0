//! What the hub logs, chosen while it runs. It goes back by itself, so that nobody forgets it.

use crate::Hub;
use crate::access::{Admin, Viewer};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use protocol::view::{AuditAction, LogStatus};
use std::fmt::{Debug, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const LONGEST_FILTER: usize = 500;
const MOST_MINUTES: u32 = 24 * 60;

/// Whoever writes the log of this process.
pub trait LogWriter: Send + Sync {
    /// What it logs if nobody chooses, in the grammar of `RUST_LOG`.
    fn usual(&self) -> &str;

    /// The filter as it is understood. Fails with words for a person if it is none, or says too much.
    fn read(&self, filter: &str) -> std::result::Result<String, String>;

    /// Logs what this filter says, which was read or is the usual one.
    fn apply(&self, filter: &str) -> std::result::Result<(), String>;
}

/// The choice of this process.
#[derive(Default)]
pub(crate) struct InMemory {
    writer: Option<Arc<dyn LogWriter>>,
    chosen: Mutex<Option<Chosen>>,
}

#[derive(Clone, PartialEq)]
struct Chosen {
    filter: String,
    /// Unix milliseconds.
    until: i64,
}

impl InMemory {
    pub(crate) fn new(writer: Option<Arc<dyn LogWriter>>) -> Self {
        Self { writer, chosen: Mutex::default() }
    }

    fn chosen(&self) -> MutexGuard<'_, Option<Chosen>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debug for InMemory {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("InMemory")
    }
}

/// What the hub logs.
#[derive(Clone, Copy, Debug)]
pub struct LogLevels<'a> {
    hub: &'a Hub,
    viewer: &'a Viewer,
}

impl<'a> Admin<'a> {
    pub fn log_levels(&self) -> LogLevels<'a> {
        LogLevels { hub: self.hub, viewer: self.viewer }
    }
}

impl LogLevels<'_> {
    /// Logs what this filter says, for so long. An empty one is what is usual.
    pub async fn choose(self, filter: &str, minutes: u32) -> Result<()> {
        let levels = &self.hub.0.log_levels;
        let writer = levels.writer.as_ref().ok_or_else(|| Error::invalid("This hub writes no log."))?;
        let filter = filter.trim();
        if filter.len() > LONGEST_FILTER {
            return Err(Error::invalid(format!("What to log has at most {LONGEST_FILTER} characters.")));
        }
        if !(1..=MOST_MINUTES).contains(&minutes) {
            return Err(Error::invalid(format!("Choose 1 to {MOST_MINUTES} minutes.")));
        }
        let ms = i64::from(minutes) * 60 * 1000;
        let until = self.hub.now().saturating_add(ms);
        let chosen = match filter {
            "" => None,
            filter => Some(Chosen { filter: writer.read(filter).map_err(Error::invalid)?, until }),
        };
        let shown = chosen.as_ref().map_or_else(|| writer.usual(), |chosen| &chosen.filter).to_owned();
        let mut tx = self.hub.store().write().await?;
        let line = AuditEvent::done(AuditAction::LogLevelsSet, self.viewer).about_nobody();
        self.hub.audit().note(&mut tx, line.object(&shown)).await?;
        tx.commit().await?;
        // What is shown and what is logged change together.
        let mut current = levels.chosen();
        writer.apply(&shown).map_err(Error::internal)?;
        current.clone_from(&chosen);
        drop(current);
        if let Some(chosen) = chosen {
            self.hub.go_back(chosen, ms);
        }
        Ok(())
    }
}

impl Hub {
    pub(crate) fn log_status(&self) -> Option<LogStatus> {
        let levels = &self.0.log_levels;
        let usual = levels.writer.as_ref()?.usual().to_owned();
        let chosen = levels.chosen().clone();
        let until = chosen.as_ref().map(|chosen| chosen.until);
        Some(LogStatus { filter: chosen.map_or_else(|| usual.clone(), |chosen| chosen.filter), usual, until })
    }

    /// Logs what is usual, once the time of this choice is up and nothing else was chosen.
    fn go_back(&self, chosen: Chosen, ms: i64) {
        let (hub, at) = (self.clone(), self.moment().plus_ms(ms));
        self.tasks().spawn(async move {
            tokio::select! {
                () = hub.tasks().closing() => return,
                () = hub.clock().until(at) => {}
            }
            let levels = &hub.0.log_levels;
            let mut current = levels.chosen();
            if current.take_if(|now| *now == chosen).is_some()
                && let Some(writer) = &levels.writer
                && let Err(why) = writer.apply(writer.usual())
            {
                tracing::warn!("the log does not go back to what is usual: {why}");
            }
        });
    }
}
