//! The lease of a run, checked inside the transaction that writes.

use super::recovery::Crashes;
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::store::{Row, query};
use protocol::RunId;
use protocol::agent::Home;
use protocol::log::{Driver, Outcome};

/// Who drives, as the row of the run has it.
#[derive(Clone, Debug)]
pub(super) struct Driven {
    pub(super) home: Home,
    pub(super) by: Option<Driver>,
}

impl Driven {
    pub(super) fn owner(&self) -> &str {
        self.by.as_ref().map_or("hub", |driver| &driver.tab.0)
    }

    /// At home in a browser there may be nobody.
    fn is_driven(&self) -> bool {
        self.home == Home::Hub || self.by.is_some()
    }
}

impl Appending {
    /// Fails unless this token holds the run. Call it after the append: the agent's row is locked
    /// then, so nobody can end the run in between.
    pub(super) async fn require_lease(&mut self, run: &RunId, token: &str) -> Result<()> {
        query("SELECT 1 FROM runs WHERE id = $1 AND token = $2 AND running = 1", (run, token))
            .fetch_optional::<Row>(&mut *self.tx)
            .await?
            .ok_or_else(|| {
                Error::Conflict("This run belongs to another driver, or it is over.".to_owned())
            })?;
        Ok(())
    }

    /// Fails if the run is over, whoever drives it.
    pub(crate) async fn require_running(&mut self, run: &RunId) -> Result<()> {
        match self.is_running(run).await? {
            true => Ok(()),
            false => Err(Error::Conflict("This run is over.".to_owned())),
        }
    }

    /// Call it after the append too.
    async fn is_running(&mut self, run: &RunId) -> Result<bool> {
        query("SELECT 1 FROM runs WHERE id = $1 AND running = 1", (run,)).exists(&mut *self.tx).await
    }

    /// Gives the run to another driver, at once and as a whole: the former lease is void.
    pub(super) async fn pass_lease(&mut self, run: &RunId, token: &str, driver: &Driven) -> Result<()> {
        let passed = query(
            "UPDATE runs SET token = $2, owner = $3, home = $4,
                    undriven_since = CASE CAST($5 AS BIGINT) WHEN 0 THEN undriven_since END
             WHERE id = $1 AND running = 1",
            (run, token, driver.owner(), driver.home, i64::from(driver.is_driven())),
        )
        .execute(&mut *self.tx)
        .await?;
        if passed == 0 {
            return Err(Error::Conflict("This run is over.".to_owned()));
        }
        Ok(())
    }

    /// Nobody has driven the run since then, or since it was noted before.
    pub(super) async fn note_undriven(&mut self, run: &RunId, since: i64) -> Result<()> {
        query("UPDATE runs SET undriven_since = COALESCE(undriven_since, $2) WHERE id = $1", (run, since))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    /// The sequence number of the loop's own entry `ordinal`, if it was appended before.
    pub(super) async fn seq_of(&mut self, run: &RunId, ordinal: u32) -> Result<Option<u64>> {
        query("SELECT seq FROM entries WHERE run_id = $1 AND ordinal = $2", (run, ordinal))
            .fetch_optional(&mut *self.tx)
            .await
    }

    /// Refuses an ordinal that leaves a gap.
    pub(super) async fn require_next(&mut self, run: &RunId, ordinal: u32) -> Result<()> {
        let next: i64 =
            query("SELECT COUNT(*) FROM entries WHERE run_id = $1 AND ordinal IS NOT NULL", (run,))
                .fetch_one(&mut *self.tx)
                .await?;
        if next == i64::from(ordinal) {
            return Ok(());
        }
        Err(Error::Conflict(format!("Entry {next} of the run is missing.")))
    }

    /// This process looks after the run from here on.
    pub(super) async fn take_over(&mut self, run: &RunId, process: &str, crashes: Crashes) -> Result<()> {
        query(
            "UPDATE runs SET process = $2, crashes = $3, crashed_at = $4 WHERE id = $1",
            (run, process, crashes.count, crashes.last_at),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(())
    }

    /// No process looks after the run, and none has crashed.
    pub(super) async fn leave_in_order(&mut self, run: &RunId) -> Result<()> {
        query("UPDATE runs SET process = NULL WHERE id = $1", (run,)).execute(&mut *self.tx).await?;
        Ok(())
    }

    pub(super) async fn end_run(&mut self, run: &RunId, outcome: &Outcome, now: i64) -> Result<()> {
        let outcome = match outcome {
            Outcome::Completed => "completed",
            Outcome::Stopped => "stopped",
            Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => "failed",
        };
        query(
            "UPDATE runs SET running = 0, finished_at = $2, outcome = $3 WHERE id = $1",
            (run, now, outcome),
        )
        .execute(&mut *self.tx)
        .await?;
        query("DELETE FROM holds WHERE run_id = $1", (run,)).execute(&mut *self.tx).await?;
        Ok(())
    }
}
