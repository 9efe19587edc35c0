//! What providers tell of calls under way. A process that ends within a call has used what it was told, so
//! the next one books that: a hub that dies again and again spends no more than its limits either.

use super::Spender;
use super::booking_queue::SettleRequest;
use super::spending::{BookedCall, Metered};
use crate::error::{Error, Result};
use crate::ledger::Ledger;
use crate::log::EntryScope;
use crate::store::{Json, Row, query};
use protocol::model::Usage;
use protocol::view::CallKind;
use protocol::{AgentId, Micros, RunId, TokenId, UserId};
use serde::{Deserialize, Serialize};

/// A call as far as it went, beside what the hold says of it.
#[derive(Debug, Serialize, Deserialize)]
struct CheckpointedCall {
    kind: CallKind,
    is_lent: bool,
    #[serde(default)]
    is_servers: bool,
    model: String,
    usage: Usage,
    cost: Option<Micros>,
    /// `None`: a program's.
    turn: Option<u32>,
}

/// Whether more is to come of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CallPhase {
    On,
    /// It is booked soon: until then what it cost is held, and no more.
    Over,
}

/// A call that the last process left under way.
enum OrphanedCall {
    Run { place: EntryScope, booked: BookedCall },
    Outside(SettleRequest),
}

impl Ledger<'_> {
    /// Keeps what was told so far of a call for which money is held.
    pub(crate) async fn keep_told(
        self,
        spender: &Spender,
        turn: Option<u32>,
        metered: &Metered,
        call: CallPhase,
    ) -> Result<()> {
        let Metered { owner: _, provider: _, is_lent, is_servers, model, usage, cost, kind } = metered;
        let told = CheckpointedCall {
            kind: *kind,
            is_lent: *is_lent,
            is_servers: *is_servers,
            model: model.clone(),
            usage: *usage,
            cost: *cost,
            turn,
        };
        let told = serde_json::to_string(&told).map_err(Error::internal)?;
        let amount = match call {
            CallPhase::On => None,
            CallPhase::Over => Some(cost.map_or(0, |cost| cost.0)),
        };
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "UPDATE holds SET told = $3, amount = COALESCE($4, amount),
             server_amount = COALESCE($5, server_amount)
             WHERE caller = $1 AND slot = $2",
            (
                spender.caller(),
                spender.slot(),
                told,
                amount,
                amount.map(|amount| if *is_servers { amount } else { 0 }),
            ),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Books what was told of calls that the last process left under way, each in the commit that lets go
    /// of its money, and lets go of the rest: none of them is under way any more. One that cannot be booked
    /// keeps nobody from starting the hub. Of one person, or of everybody.
    pub(crate) async fn settle_holds(self, person: Option<&UserId>) -> Result<()> {
        let rows = query(
            "SELECT h.caller, h.run_id, h.user_id, h.agent_id, r.agent_id AS place, h.token_id, h.provider_id, h.told,
                    r.conversation_id
             FROM holds h LEFT JOIN runs r ON r.id = h.run_id LEFT JOIN agents a ON a.id = r.agent_id
             WHERE h.told IS NOT NULL AND (CAST($1 AS TEXT) IS NULL OR COALESCE(a.user_id, h.user_id) = $1)
             ORDER BY h.caller, h.slot",
            (person,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        for row in rows {
            if let Err(error) = self.settle_left(&row).await {
                tracing::error!(error = ?error, "a call that the last process left under way was not booked");
            }
        }
        self.release_all(person).await
    }

    async fn settle_left(self, row: &Row) -> Result<()> {
        match left(row)? {
            OrphanedCall::Run { place, booked } => {
                let mut appending = self.hub.log().appending().await?;
                appending.book(&place, booked).await?;
                self.hub.log().commit(appending).await
            }
            OrphanedCall::Outside(request) => self.settle_once(request).await,
        }
    }
}

fn left(row: &Row) -> Result<OrphanedCall> {
    let Json(told) = row.get("told")?;
    let CheckpointedCall { kind, is_lent, is_servers, model, usage, cost, turn } = told;
    let provider = Some(row.get("provider_id")?);
    let metered =
        Metered { owner: row.get("user_id")?, provider, is_lent, is_servers, model, usage, cost, kind };
    let (token, agent): (TokenId, AgentId) = (row.get("token_id")?, row.get("agent_id")?);
    let run: Option<RunId> = row.get("run_id")?;
    let (Some(run), Some(turn)) = (run, turn) else {
        let call = row.get("caller")?;
        let spender = match (agent.0.is_empty(), token.0.is_empty()) {
            (true, true) => Spender::Person { call },
            (true, false) => Spender::Program { token, call },
            (false, _) => Spender::Speech { agent, call },
        };
        return Ok(OrphanedCall::Outside(SettleRequest { spender, metered: Some(metered) }));
    };
    let place = EntryScope {
        agent: row.get("place")?,
        conversation: Some(row.get("conversation_id")?),
        run: Some(run),
    };
    let token = Some(token).filter(|token| !token.0.is_empty());
    Ok(OrphanedCall::Run { place, booked: BookedCall { turn, agent, token, metered } })
}
