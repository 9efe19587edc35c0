//! Whether the audit is what was written.

use super::chain::{Head, StoredLine};
use super::gaps;
use crate::audit::{Audit, WholeAudit};
use crate::error::{Error, Result};
use crate::store;
use crate::store::{Row, query};
use protocol::view::AuditState;

const BATCH: i64 = 1000;

impl WholeAudit<'_> {
    pub async fn state(self) -> Result<AuditState> {
        self.hub.audit().state().await
    }
}

impl Audit<'_> {
    /// Reads the whole audit. Lines that are added meanwhile are left for the next time.
    pub async fn state(self) -> Result<AuditState> {
        let found = self.read_chain().await?;
        // Old lines may have been let go of in between.
        if found.broken.is_some() { self.read_chain().await } else { Ok(found) }
    }

    async fn read_chain(self) -> Result<AuditState> {
        let row = query(
            "SELECT seq, hash, first_seq, before_hash, seal,
             (SELECT COALESCE(MAX(seq), 0) FROM audit) AS newest
             FROM audit_head WHERE id = 1",
            (),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else { return self.headless().await };
        let head = Head {
            seq: row.get("seq")?,
            hash: row.get("hash")?,
            first_seq: row.get("first_seq")?,
            before_hash: row.get("before_hash")?,
        };
        let mut reading = Reading {
            next: head.first_seq,
            before: head.before_hash.clone(),
            state: AuditState { lines: 0, since: None, let_go: 0, broken: None },
        };
        if !head.fits(&self.key(), &row.get::<String>("seal")?) {
            reading.broken("The seal over the audit does not fit it: its end was changed or cut off, or it was written with another master key.".to_owned());
        }
        while reading.next <= head.seq {
            let rows = query(
                "SELECT seq, at, action, outcome, actor, actor_name, via, person, person_name,
                        object, address,
                 hash
                 FROM audit WHERE seq >= $1 AND seq <= $2 ORDER BY seq LIMIT $3",
                (reading.next, head.seq, BATCH),
            )
            .fetch_all::<Row>(self.hub.store().read())
            .await?;
            if rows.is_empty() {
                reading.broken(format!("The lines from {} on are gone.", reading.next));
                break;
            }
            for row in &rows {
                self.pass_gap(&mut reading, row.get("seq")?).await?;
                reading.take(row)?;
            }
        }
        if row.get::<i64>("newest")? > head.seq {
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

    async fn headless(self) -> Result<AuditState> {
        let lines: u64 =
            query("SELECT count(*) AS lines FROM audit", ()).fetch_one(self.hub.store().read()).await?;
        let broken = (lines > 0).then(|| "The seal over the audit is gone.".to_owned());
        Ok(AuditState { lines, since: None, let_go: 0, broken })
    }

    /// Goes on behind lines that were let go of, if this is not the next one.
    async fn pass_gap(self, reading: &mut Reading, seq: i64) -> Result<()> {
        if seq == reading.next {
            return Ok(());
        }
        let Some((gap, seal)) = gaps::at(self.hub.store().read(), reading.next).await? else { return Ok(()) };
        if !gap.fits(&self.key(), &seal) {
            return Ok(());
        }
        reading.state.let_go += u64::try_from(gap.last_seq - gap.first_seq + 1).map_err(Error::internal)?;
        (reading.next, reading.before) = (gap.last_seq + 1, gap.hash);
        Ok(())
    }
}

struct Reading {
    next: i64,
    before: String,
    state: AuditState,
}

impl Reading {
    fn take(&mut self, row: &store::Row) -> Result<()> {
        let stored = StoredLine::read(row)?;
        let hash: String = row.get("hash")?;
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
