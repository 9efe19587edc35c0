//! Lines that were let go of between others. A gap says which, and the hash of the last of them, so that the
//! chain goes on behind it; its seal tells it from lines that somebody cut out.

use super::chain::Gap;
use crate::error::Result;
use crate::store::{FromRow, Row, Transaction, query};
use sqlx::{Any, Executor};

/// The gap that begins with this line, and its seal.
pub(super) async fn at(
    from: impl Executor<'_, Database = Any>,
    first_seq: i64,
) -> Result<Option<(Gap, String)>> {
    let row =
        query("SELECT first_seq, last_seq, hash, seal FROM audit_gaps WHERE first_seq = $1", (first_seq,))
            .fetch_optional::<Row>(from)
            .await?;
    row.map(|row| Ok((Gap::from_row(&row)?, row.get("seal")?))).transpose()
}

/// Adds a gap; those that it touches become one with it, if they are what was written.
pub(super) async fn add(tx: &mut Transaction, key: &[u8; 32], mut new: Gap) -> Result<()> {
    let touching = query(
        "SELECT first_seq, last_seq, hash, seal FROM audit_gaps WHERE last_seq = $1 OR first_seq = $2",
        (new.first_seq - 1, new.last_seq + 1),
    )
    .fetch_all::<Row>(&mut **tx)
    .await?;
    for row in &touching {
        let other = Gap::from_row(row)?;
        if !other.fits(key, &row.get::<String>("seal")?) {
            continue;
        }
        query("DELETE FROM audit_gaps WHERE first_seq = $1", (other.first_seq,)).execute(&mut **tx).await?;
        new.first_seq = new.first_seq.min(other.first_seq);
        if other.last_seq > new.last_seq {
            (new.last_seq, new.hash) = (other.last_seq, other.hash);
        }
    }
    query(
        "INSERT INTO audit_gaps (first_seq, last_seq, hash, seal) VALUES ($1, $2, $3, $4)",
        (new.first_seq, new.last_seq, &new.hash, new.seal(key)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Forgets those that the audit begins behind.
pub(super) async fn forget_until(tx: &mut Transaction, seq: i64) -> Result<()> {
    query("DELETE FROM audit_gaps WHERE last_seq <= $1", (seq,)).execute(&mut **tx).await?;
    Ok(())
}

impl FromRow for Gap {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { first_seq: row.get("first_seq")?, last_seq: row.get("last_seq")?, hash: row.get("hash")? })
    }
}
