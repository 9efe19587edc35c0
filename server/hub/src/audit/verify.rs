//! Whether the audit is what was written.

use super::chain::{Head, Stored};
use crate::Hub;
use crate::access::Admin;
use crate::error::{Error, Result};
use crate::store;
use protocol::view::AuditState;
use sqlx::Row as _;

const BATCH: i64 = 1000;

impl Admin<'_> {
    pub async fn audit_state(&self) -> Result<AuditState> {
        self.hub.audit_state().await
    }
}

impl Hub {
    /// Reads the whole audit. Lines that are added meanwhile are left for the next time.
    pub async fn audit_state(&self) -> Result<AuditState> {
        let found = self.read_chain().await?;
        // Old lines may have been let go of in between.
        if found.broken.is_some() { self.read_chain().await } else { Ok(found) }
    }

    async fn read_chain(&self) -> Result<AuditState> {
        let row = sqlx::query(
            "SELECT seq, hash, first_seq, before_hash, seal, (SELECT COALESCE(MAX(seq), 0) FROM audit) AS newest
             FROM audit_head WHERE id = 1",
        )
        .fetch_optional(self.store.read())
        .await?;
        let Some(row) = row else { return self.headless().await };
        let head = Head {
            seq: row.try_get("seq")?,
            hash: row.try_get("hash")?,
            first_seq: row.try_get("first_seq")?,
            before_hash: row.try_get("before_hash")?,
        };
        let mut reading = Reading {
            next: head.first_seq,
            before: head.before_hash.clone(),
            state: AuditState { lines: 0, since: None, broken: None },
        };
        if !head.fits(&self.audit_key(), &row.try_get::<String, _>("seal")?) {
            reading.broken("The seal over the audit does not fit it: its end was changed or cut off, or it was written with another master key.".to_owned());
        }
        while reading.next <= head.seq {
            let rows = sqlx::query(
                "SELECT seq, at, action, outcome, actor, actor_name, via, person, person_name, object, address, hash
                 FROM audit WHERE seq >= $1 AND seq <= $2 ORDER BY seq LIMIT $3",
            )
            .bind(reading.next)
            .bind(head.seq)
            .bind(BATCH)
            .fetch_all(self.store.read())
            .await?;
            if rows.is_empty() {
                reading.broken(format!("The lines from {} on are gone.", reading.next));
                break;
            }
            for row in &rows {
                reading.take(row)?;
            }
        }
        if row.try_get::<i64, _>("newest")? > head.seq {
            reading.broken(format!(
                "There are lines after line {}, which is to be the newest: an older end was put back.",
                head.seq
            ));
        }
        if reading.before != head.hash {
            reading.broken("The newest line is not the one that was written last.".to_owned());
        }
        Ok(reading.state)
    }

    async fn headless(&self) -> Result<AuditState> {
        let row = sqlx::query("SELECT count(*) AS lines FROM audit").fetch_one(self.store.read()).await?;
        let lines = u64::try_from(row.try_get::<i64, _>("lines")?).map_err(Error::internal)?;
        let broken = (lines > 0).then(|| "The seal over the audit is gone.".to_owned());
        Ok(AuditState { lines, since: None, broken })
    }
}

struct Reading {
    next: i64,
    before: String,
    state: AuditState,
}

impl Reading {
    fn take(&mut self, row: &store::Row) -> Result<()> {
        let stored = Stored::read(row)?;
        let hash: String = row.try_get("hash")?;
        if stored.seq != self.next {
            self.broken(format!("Line {} is gone.", self.next));
        } else if stored.hash(&self.before) != hash {
            self.broken(format!("Line {} is not what was written.", stored.seq));
        }
        if stored.action == "log_started" && stored.outcome == "refused" {
            self.broken(format!(
                "What stood before line {} was changed, or the hub had another master key then.",
                stored.seq
            ));
        }
        self.state.lines += 1;
        self.state.since.get_or_insert(stored.at);
        self.next = stored.seq + 1;
        self.before = hash;
        Ok(())
    }

    /// The first thing that is wrong is what is told.
    fn broken(&mut self, how: String) {
        self.state.broken.get_or_insert(how);
    }
}
