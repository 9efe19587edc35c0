//! The words that memories are found by, in the store.

use super::rank::beginning;
use super::same::Said;
use crate::error::Result;
use crate::store::{Store, Transaction, query};
use protocol::{MemoryId, UserId};
use std::iter;

/// Words of one statement.
const ROWS: usize = 8;
/// Memories of before that are read in one commit.
const AT_ONCE: usize = 50;

/// Puts these, with spaces between, in the place of those that the memory had.
pub(super) async fn replace(tx: &mut Transaction, owner: &UserId, id: &MemoryId, terms: &str) -> Result<()> {
    query("DELETE FROM memory_words WHERE memory_id = $1", (id,)).execute(&mut **tx).await?;
    put(tx, owner, id, terms).await
}

/// Puts these, with spaces between.
pub(super) async fn put(tx: &mut Transaction, owner: &UserId, id: &MemoryId, terms: &str) -> Result<()> {
    let words: Vec<&str> = terms.split(' ').collect();
    for words in words.chunks(ROWS) {
        // A row that only fills up is there already.
        let last = words.last().copied().unwrap_or_default();
        let filled = words.iter().copied().chain(iter::repeat(last)).take(ROWS);
        let rows: Vec<_> = filled.map(|word| (owner, beginning(word), word, id)).collect();
        query(
            "INSERT INTO memory_words (user_id, beginning, word, memory_id)
             VALUES ($1, $2, $3, $4), ($5, $6, $7, $8), ($9, $10, $11, $12), ($13, $14, $15, $16),
                    ($17, $18, $19, $20), ($21, $22, $23, $24), ($25, $26, $27, $28), ($29, $30, $31, $32)
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
        let old: Vec<(MemoryId, UserId, String, String)> =
            query("SELECT id, user_id, text, words FROM memories WHERE said IS NULL LIMIT $1", (AT_ONCE,))
                .fetch_all(&mut *tx)
                .await?;
        if old.is_empty() {
            return tx.rollback().await;
        }
        for (id, owner, text, terms) in old {
            put(&mut tx, &owner, &id, &terms).await?;
            query("UPDATE memories SET said = $2 WHERE id = $1", (&id, Said::in_text(&text).digest()))
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await?;
    }
}
