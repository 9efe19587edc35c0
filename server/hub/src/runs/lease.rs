//! The lease of a run, checked inside the transaction that writes.

use crate::error::{Error, Result};
use crate::log::Appending;
use protocol::RunId;
use protocol::log::Driver;
use protocol::view::Home;
use sqlx::Row as _;

/// Who drives, as the row of the run has it.
#[derive(Clone, Debug)]
pub(super) struct Driven {
    pub(super) home: Home,
    pub(super) by: Option<Driver>,
}

impl Driven {
    pub(super) fn home_name(&self) -> &'static str {
        match self.home {
            Home::Hub => "hub",
            Home::Browser => "browser",
        }
    }

    pub(super) fn owner(&self) -> &str {
        self.by.as_ref().map_or("hub", |driver| &driver.tab.0)
    }
}

impl Appending {
    /// Fails unless this token holds the run. Call it after the append: the agent's row is locked
    /// then, so nobody can end the run in between.
    pub(super) async fn require_lease(&mut self, run: &RunId, token: &str) -> Result<()> {
        sqlx::query("SELECT 1 FROM runs WHERE id = $1 AND token = $2 AND running = 1")
            .bind(&run.0)
            .bind(token)
            .fetch_optional(&mut *self.tx)
            .await?
            .ok_or_else(|| {
                Error::Conflict("This run belongs to another driver, or it is over.".to_owned())
            })?;
        Ok(())
    }

    /// Fails if the run is over, whoever drives it.
    pub(crate) async fn require_running(&mut self, run: &RunId) -> Result<()> {
        sqlx::query("SELECT 1 FROM runs WHERE id = $1 AND running = 1")
            .bind(&run.0)
            .fetch_optional(&mut *self.tx)
            .await?
            .ok_or_else(|| Error::Conflict("This run is over.".to_owned()))?;
        Ok(())
    }

    /// Gives the run to another driver, at once and as a whole: the former lease is void.
    pub(super) async fn pass_lease(&mut self, run: &RunId, token: &str, driver: &Driven) -> Result<()> {
        let passed =
            sqlx::query("UPDATE runs SET token = $2, owner = $3, home = $4 WHERE id = $1 AND running = 1")
                .bind(&run.0)
                .bind(token)
                .bind(driver.owner())
                .bind(driver.home_name())
                .execute(&mut *self.tx)
                .await?;
        if passed.rows_affected() == 0 {
            return Err(Error::Conflict("This run is over.".to_owned()));
        }
        Ok(())
    }

    /// The sequence number of the loop's own entry `ordinal`, if it was appended before.
    pub(super) async fn seq_of(&mut self, run: &RunId, ordinal: u32) -> Result<Option<u64>> {
        let row = sqlx::query("SELECT seq FROM entries WHERE run_id = $1 AND ordinal = $2")
            .bind(&run.0)
            .bind(i64::from(ordinal))
            .fetch_optional(&mut *self.tx)
            .await?;
        row.map(|row| u64::try_from(row.try_get::<i64, _>(0)?).map_err(Error::internal)).transpose()
    }

    /// Refuses an ordinal that leaves a gap.
    pub(super) async fn require_next(&mut self, run: &RunId, ordinal: u32) -> Result<()> {
        let row = sqlx::query("SELECT COUNT(*) FROM entries WHERE run_id = $1 AND ordinal IS NOT NULL")
            .bind(&run.0)
            .fetch_one(&mut *self.tx)
            .await?;
        let next: i64 = row.try_get(0)?;
        if next == i64::from(ordinal) {
            return Ok(());
        }
        Err(Error::Conflict(format!("Entry {next} of the run is missing.")))
    }

    pub(super) async fn end_run(&mut self, run: &RunId, now: i64) -> Result<()> {
        sqlx::query("UPDATE runs SET running = 0, finished_at = $2 WHERE id = $1")
            .bind(&run.0)
            .bind(now)
            .execute(&mut *self.tx)
            .await?;
        sqlx::query("DELETE FROM holds WHERE run_id = $1").bind(&run.0).execute(&mut *self.tx).await?;
        Ok(())
    }
}
