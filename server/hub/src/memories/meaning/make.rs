//! Making vectors in the background. What is to be made stands in the store, as what has none of the chosen model, so
//! nothing is forgotten wherever a process dies; a failure is told in the settings, and it is tried again later.

use super::{Chosen, lock, nearest, rows};
use crate::error::Result;
use crate::memories::Memories;
use crate::store::query;
use protocol::UserId;
use protocol::model::{ModelFailure, ModelFailureKind};

/// Memories of one call.
const AT_ONCE: usize = 32;
/// For so long nobody else makes them.
const CLAIM_MS: i64 = 10 * 60 * 1000;
/// Another process may have left some.
const LOOKS_MS: i64 = 15_000;
/// People that are begun with at once.
const PEOPLE: i64 = 100;
/// Until it is tried again: what may pass by itself, and what somebody has to change first.
const SOON_MS: i64 = 5 * 60 * 1000;
const LATER_MS: i64 = 60 * 60 * 1000;

impl Memories<'_> {
    /// Makes vectors for as long as the hub is open.
    pub(crate) fn keep_meanings(self) {
        let hub = self.hub.clone();
        self.hub.tasks().spawn(async move {
            loop {
                if let Err(error) = hub.memories().begin_due().await {
                    let failure = error.into_failure();
                    tracing::warn!("whose memories have no vector could not be read: {failure}");
                }
                tokio::select! {
                    () = hub.tasks().closing() => return,
                    () = hub.memories().known().changed.notified() => {}
                    () = hub.clock().until(hub.moment().plus_ms(LOOKS_MS)) => {}
                }
            }
        });
    }

    async fn begin_due(self) -> Result<()> {
        let due: Vec<UserId> = query(
            "SELECT c.user_id FROM memory_models c JOIN users u ON u.id = c.user_id
             WHERE c.due_at <= $2 AND u.disabled = 0
               AND (CAST($1 AS TEXT) IS NULL
                    OR u.id IN (SELECT p.user_id FROM placements p WHERE p.node_id = $1 AND p.taken_on = 1))
             ORDER BY c.due_at LIMIT $3",
            (self.hub.cluster().own_id(), self.hub.now(), PEOPLE),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for owner in due {
            if !lock(&self.known().under_way).insert(owner.clone()) {
                continue;
            }
            let hub = self.hub.clone();
            self.hub.tasks().spawn(async move {
                let made = tokio::select! {
                    made = hub.memories().make(&owner) => made,
                    // What is missing is due to the next process.
                    () = hub.tasks().closing() => Ok(()),
                };
                lock(&hub.memories().known().under_way).remove(&owner);
                match made {
                    // Something may have become due meanwhile.
                    Ok(()) => hub.memories().changed(),
                    Err(error) => {
                        let failure = error.into_failure();
                        tracing::warn!(user.id = %owner, "vectors of memories were not made: {failure}");
                    }
                }
            });
        }
        Ok(())
    }

    async fn make(self, owner: &UserId) -> Result<()> {
        let store = self.hub.store();
        let mut tx = store.write().await?;
        let now = self.hub.now();
        let until = now.saturating_add(CLAIM_MS);
        if !rows::claim(&mut tx, owner, now, until).await? {
            return tx.rollback().await;
        }
        let chosen = rows::chosen(&mut *tx, owner).await?;
        tx.commit().await?;
        let Some(chosen) = chosen else { return Ok(()) };
        while self.make_some(owner, &chosen, until).await? {}
        Ok(())
    }

    /// Whether there may be more.
    async fn make_some(self, owner: &UserId, chosen: &Chosen, claimed: i64) -> Result<bool> {
        let store = self.hub.store();
        let waiting = rows::waiting(store.read(), owner, chosen, AT_ONCE).await?;
        if waiting.is_empty() {
            let mut tx = store.write().await?;
            rows::done(&mut tx, chosen, claimed).await?;
            tx.commit().await?;
            return Ok(false);
        }
        let texts: Vec<String> = waiting.iter().map(|memory| memory.text.clone()).collect();
        let (hub, call) = (self.hub.clone(), chosen.call(owner));
        let asked = async move { hub.models().meanings(&call, &texts).await };
        // What it used is booked, also if the hub closes meanwhile.
        let made = self.hub.tasks().complete(asked).await?;
        let mut tx = store.write().await?;
        let goes_on = match made {
            Ok(vectors) => {
                for (memory, vector) in waiting.iter().zip(vectors) {
                    let bytes = (vector.len(), nearest::to_bytes(vector));
                    rows::put(&mut tx, owner, chosen, memory, bytes).await?;
                }
                true
            }
            Err(failure) => {
                let again = self.hub.now().saturating_add(pause_ms(&failure));
                rows::failed(&mut tx, chosen, &failure.message, again).await?;
                false
            }
        };
        tx.commit().await?;
        // Another model is another one's to make.
        Ok(goes_on && rows::chosen(store.read(), owner).await?.is_some_and(|now| now.choice == chosen.choice))
    }
}

fn pause_ms(failure: &ModelFailure) -> i64 {
    match failure.kind {
        ModelFailureKind::OverBudget
        | ModelFailureKind::NotConfigured
        | ModelFailureKind::NotThisKind
        | ModelFailureKind::BadKey
        | ModelFailureKind::UnknownModel
        | ModelFailureKind::ContextTooLong
        | ModelFailureKind::Refused
        | ModelFailureKind::BadRequest
        | ModelFailureKind::Malformed => LATER_MS,
        ModelFailureKind::RateLimited
        | ModelFailureKind::Overloaded
        | ModelFailureKind::Unreachable
        | ModelFailureKind::Timeout
        | ModelFailureKind::Server
        | ModelFailureKind::Cut
        | ModelFailureKind::Aborted => SOON_MS,
    }
}
