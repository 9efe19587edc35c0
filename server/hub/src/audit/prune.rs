//! Letting go of lines: of all that are too old, and of the oldest of whoever has too many. The second is
//! written down itself.

use super::chain::{Gap, Head};
use super::{gaps, share};
use crate::error::Result;
use crate::store::{Row, Transaction, query};

/// Lines that go at a time, for the sake of who waits to write. More come with the next look.
const PRUNE_BATCH: i64 = 4096;

/// What was let go of to make room.
#[derive(Debug)]
pub(super) struct PrunedLines {
    /// Id and name of whose lines they were; `None`: strangers'.
    pub(super) person: Option<(String, String)>,
    pub(super) what: String,
}

/// Lets go of lines from before this time.
pub(super) async fn old(tx: &mut Transaction, head: &mut Head, before: i64) -> Result<()> {
    let last = query(
        "SELECT seq, hash FROM audit WHERE seq >= $1 AND at < $2 ORDER BY seq DESC LIMIT 1",
        (head.first_seq, before),
    )
    .fetch_optional::<Row>(&mut **tx)
    .await?;
    let Some(last) = last else { return Ok(()) };
    let seq: i64 = last.get("seq")?;
    share::forget_until(tx, seq).await?;
    gaps::forget_until(tx, seq).await?;
    query("DELETE FROM audit WHERE seq <= $1", (seq,)).execute(&mut **tx).await?;
    head.first_seq = seq + 1;
    head.before_hash = last.get("hash")?;
    Ok(())
}

/// Lets go of what is too much. The newest line stays: the chain goes on from it.
pub(super) async fn too_many(
    tx: &mut Transaction,
    key: &[u8; 32],
    head: &Head,
) -> Result<Option<PrunedLines>> {
    let Some(excess) = share::excess(tx).await? else { return Ok(None) };
    let rows = query(
        "SELECT seq, hash, person_name, actor_name FROM audit
         WHERE share = $1 AND action = $2 AND seq >= $3 AND seq < $4 ORDER BY seq LIMIT $5",
        (&excess.share, &excess.action, head.first_seq, head.seq, excess.lines.min(PRUNE_BATCH)),
    )
    .fetch_all::<Row>(&mut **tx)
    .await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let actor: String = last.get("actor_name")?;
    let name = if actor.is_empty() { last.get("person_name")? } else { actor };
    for gap in runs(&rows)? {
        query("DELETE FROM audit WHERE seq >= $1 AND seq <= $2", (gap.first_seq, gap.last_seq))
            .execute(&mut **tx)
            .await?;
        gaps::add(tx, key, gap).await?;
    }
    let lines = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    share::count(tx, &excess.share, &excess.action, -lines).await?;
    let person = share::is_of_person(&excess.share).then_some((excess.share, name));
    Ok(Some(PrunedLines { person, what: format!("{lines} lines of {}", excess.action) }))
}

/// Lines that follow each other, as gaps.
fn runs(rows: &[Row]) -> Result<Vec<Gap>> {
    let mut runs: Vec<Gap> = Vec::new();
    for row in rows {
        let (seq, hash): (i64, String) = (row.get("seq")?, row.get("hash")?);
        match runs.last_mut().filter(|run| run.last_seq + 1 == seq) {
            Some(run) => (run.last_seq, run.hash) = (seq, hash),
            None => runs.push(Gap { first_seq: seq, last_seq: seq, hash }),
        }
    }
    Ok(runs)
}
