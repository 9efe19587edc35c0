//! What providers tell of calls under way. A process that ends within a call has used what it was told, so
//! the next one books that: a hub that dies again and again spends no more than its limits either.

use super::Slot;
use super::spending::{Booked, purpose};
use crate::Hub;
use crate::error::{Error, Result};
use crate::log::Place;
use crate::store::Row;
use protocol::model::Usage;
use protocol::view::CallKind;
use protocol::{AgentId, ConversationId, Micros, ProviderId, RunId, UserId};
use serde::{Deserialize, Serialize};
use sqlx::Row as _;

/// A call as far as it went, beside what the hold says of it.
#[derive(Debug, Serialize, Deserialize)]
struct Told {
    turn: u32,
    kind: CallKind,
    is_lent: bool,
    model: String,
    usage: Usage,
    cost: Option<Micros>,
}

impl Hub {
    /// Keeps what was told so far of a call for which money is held. Of others nothing is kept.
    pub(crate) async fn keep_told(&self, run: &RunId, booked: &Booked) -> Result<()> {
        let slot = Slot::of(purpose(booked.kind)).name();
        let held = sqlx::query("SELECT 1 FROM holds WHERE run_id = $1 AND slot = $2")
            .bind(&run.0)
            .bind(slot)
            .fetch_optional(self.store.read())
            .await?;
        if held.is_none() {
            return Ok(());
        }
        let told = Told {
            turn: booked.turn,
            kind: booked.kind,
            is_lent: booked.is_lent,
            model: booked.model.clone(),
            usage: booked.usage,
            cost: booked.cost,
        };
        let told = serde_json::to_string(&told).map_err(Error::internal)?;
        let mut tx = self.store.write().await?;
        sqlx::query("UPDATE holds SET told = $3 WHERE run_id = $1 AND slot = $2")
            .bind(&run.0)
            .bind(slot)
            .bind(told)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Books what was told of calls that the last process left under way, each in the commit that lets go
    /// of its money, and lets go of the rest: none of them is under way any more.
    pub(crate) async fn settle_holds(&self) -> Result<()> {
        let rows = sqlx::query(
            "SELECT h.run_id, h.user_id, h.agent_id, h.provider_id, h.told, r.conversation_id
             FROM holds h JOIN runs r ON r.id = h.run_id WHERE h.told IS NOT NULL ORDER BY h.run_id, h.slot",
        )
        .fetch_all(self.store.read())
        .await?;
        for row in rows {
            let (place, booked) = left(&row)?;
            let mut appending = self.appending().await?;
            appending.book(&place, booked).await?;
            self.commit(appending).await?;
        }
        self.release_all().await
    }
}

fn left(row: &Row) -> Result<(Place, Booked)> {
    let told: String = row.try_get("told")?;
    let Told { turn, kind, is_lent, model, usage, cost } =
        serde_json::from_str(&told).map_err(Error::internal)?;
    let place = Place {
        agent: AgentId(row.try_get("agent_id")?),
        conversation: Some(ConversationId(row.try_get("conversation_id")?)),
        run: Some(RunId(row.try_get("run_id")?)),
    };
    let provider = Some(ProviderId(row.try_get("provider_id")?));
    let owner = UserId(row.try_get("user_id")?);
    Ok((place, Booked { turn, owner, provider, is_lent, model, usage, cost, kind }))
}
