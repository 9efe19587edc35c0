//! The words that memories are found by, in the store.

use super::same::Said;
use super::stems::{Stemmed, noted, stems_in};
use crate::error::Result;
use crate::store::{Json, Store, Transaction, query};
use protocol::{MemoryId, UserId};
use std::collections::BTreeSet;
use std::iter;

/// Stems of one statement.
const ROWS: usize = 8;
/// Memories of before that are read in one commit.
const AT_ONCE: usize = 50;

/// The words that a memory is found by.
pub(super) fn found_by(text: &str, tags: &[String]) -> BTreeSet<Stemmed> {
    Stemmed::words_of(&format!("{text} {}", tags.join(" ")))
}

/// Puts these, as they are noted, in the place of those that the memory had.
pub(super) async fn replace(tx: &mut Transaction, owner: &UserId, id: &MemoryId, terms: &str) -> Result<()> {
    query("DELETE FROM memory_words WHERE memory_id = $1", (id,)).execute(&mut **tx).await?;
    put(tx, owner, id, terms).await
}

/// Puts these, as they are noted.
pub(super) async fn put(tx: &mut Transaction, owner: &UserId, id: &MemoryId, terms: &str) -> Result<()> {
    let stems: Vec<&str> = stems_in(terms).into_iter().collect();
    for stems in stems.chunks(ROWS) {
        // A row that only fills up is there already.
        let last = stems.last().copied().unwrap_or_default();
        let filled = stems.iter().copied().chain(iter::repeat(last)).take(ROWS);
        let rows: Vec<_> = filled.map(|stem| (owner, stem, id)).collect();
        query(
            "INSERT INTO memory_words (user_id, stem, memory_id)
             VALUES ($1, $2, $3), ($4, $5, $6), ($7, $8, $9), ($10, $11, $12),
                    ($13, $14, $15), ($16, $17, $18), ($19, $20, $21), ($22, $23, $24)
             ON CONFLICT DO NOTHING",
            rows,
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Reads those that a version of before wrote.
pub(crate) async fn read_old(store: &Store) -> Result<()> {
    loop {
        let mut tx = store.write().await?;
        let old: Vec<(MemoryId, UserId, String, Json<Vec<String>>)> =
            query("SELECT id, user_id, text, tags FROM memories WHERE said IS NULL LIMIT $1", (AT_ONCE,))
                .fetch_all(&mut *tx)
                .await?;
        if old.is_empty() {
            return tx.rollback().await;
        }
        for (id, owner, text, Json(tags)) in old {
            let terms = noted(&found_by(&text, &tags));
            put(&mut tx, &owner, &id, &terms).await?;
            query(
                "UPDATE memories SET said = $2, words = $3 WHERE id = $1",
                (&id, Said::in_text(&text).digest(), &terms),
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit().await?;
    }
}
