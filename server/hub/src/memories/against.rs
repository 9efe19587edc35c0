//! Memories that came by themselves and may not be true beside an older one: their person says which holds. Until then
//! prompts have the newer one alone.

use super::rows;
use super::{Memories, OwnMemories};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::hub::Noun;
use protocol::view::{Memory, MemoryChoice, MemoryState};
use protocol::{MemoryId, UserId};

/// From here on two are so much alike that both may not hold.
const MAY_DISAGREE: f64 = 0.6;
/// Pairs that a person is asked about at a time.
const MOST_ASKED: usize = 20;

/// The one among those close to a new memory that it may speak against, the closest first.
pub(super) fn spoken_against(close: &[(f64, Memory)]) -> Option<&MemoryId> {
    close.first().filter(|(likeness, _)| *likeness >= MAY_DISAGREE).map(|(_, memory)| &memory.id)
}

/// Once it says something else, nobody is asked about it, nor about one that spoke against it.
pub(super) async fn settled(tx: &mut Transaction, owner: &UserId, id: &MemoryId) -> Result<()> {
    query(
        "UPDATE memories SET against_id = NULL
         WHERE user_id = $1 AND against_id IS NOT NULL AND (id = $2 OR against_id = $2)",
        (owner, id),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Memories<'_> {
    /// Those that are kept and may not be true beside an older one that is.
    pub(super) async fn disagreeing(self, owner: &UserId) -> Result<Vec<Memory>> {
        rows::against_others(self.hub.store().read(), owner, MOST_ASKED).await
    }
}

impl OwnMemories<'_> {
    /// Says which of two holds: this one, or the older one that it speaks against. What does not is forgotten.
    pub async fn settle(self, id: &MemoryId, keep: MemoryChoice) -> Result<()> {
        let owner = &self.scoped.viewer.me.id;
        let mut tx = self.scoped.hub.store().write().await?;
        let older: Option<Option<MemoryId>> =
            query("SELECT against_id FROM memories WHERE user_id = $1 AND id = $2", (owner, id))
                .fetch_optional(&mut *tx)
                .await?;
        let Some(older) = older.ok_or(Error::NotFound("memory"))? else { return Ok(()) };
        query("UPDATE memories SET against_id = NULL WHERE user_id = $1 AND id = $2", (owner, id))
            .execute(&mut *tx)
            .await?;
        match keep {
            MemoryChoice::Both => {}
            MemoryChoice::Newer => self.set_state_in(&mut tx, &older, MemoryState::Forgotten).await?,
            MemoryChoice::Older => self.set_state_in(&mut tx, id, MemoryState::Forgotten).await?,
        }
        tx.changes(owner, Noun::Memories);
        tx.commit().await?;
        self.scoped.hub.memories().changed();
        Ok(())
    }
}
