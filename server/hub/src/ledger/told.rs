//! What providers tell of calls under way. A process that ends within a call has used what it was told, so
//! the next one books that: a hub that dies again and again spends no more than its limits either.

use super::Spender;
use super::spending::{Booked, Metered};
use crate::Hub;
use crate::error::{Error, Result};
use crate::log::Place;
use crate::store::Row;
use protocol::model::Usage;
use protocol::view::CallKind;
use protocol::{AgentId, ConversationId, Micros, ProviderId, RunId, TokenId, UserId};
use serde::{Deserialize, Serialize};
use sqlx::Row as _;

/// A call as far as it went, beside what the hold says of it.
#[derive(Debug, Serialize, Deserialize)]
struct Told {
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
pub(crate) enum Going {
    On,
    /// It is booked soon: until then what it cost is held, and no more.
    Over,
}

/// A call that the last process left under way.
enum Left {
    Run { place: Place, booked: Booked },
    Program { spender: Spender, metered: Metered },
}

impl Hub {
    /// Keeps what was told so far of a call for which money is held.
    pub(crate) async fn keep_told(
        &self,
        spender: &Spender,
        turn: Option<u32>,
        metered: &Metered,
        call: Going,
    ) -> Result<()> {
        let Metered { owner: _, provider: _, is_lent, is_servers, model, usage, cost, kind } = metered;
        let told = Told {
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
            Going::On => None,
            Going::Over => Some(cost.map_or(0, |cost| cost.0)),
        };
        let mut tx = self.store.write_aside().await?;
        sqlx::query(
            "UPDATE holds SET told = $3, amount = COALESCE($4, amount), server_amount = COALESCE($5, server_amount)
             WHERE caller = $1 AND slot = $2",
        )
        .bind(spender.caller())
        .bind(spender.slot())
        .bind(told)
        .bind(amount)
        .bind(amount.map(|amount| if *is_servers { amount } else { 0 }))
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Books what was told of calls that the last process left under way, each in the commit that lets go
    /// of its money, and lets go of the rest: none of them is under way any more. One that cannot be booked
    /// keeps nobody from starting the hub.
    pub(crate) async fn settle_holds(&self) -> Result<()> {
        let rows = sqlx::query(
            "SELECT h.caller, h.run_id, h.user_id, h.agent_id, h.token_id, h.provider_id, h.told,
                    r.conversation_id
             FROM holds h LEFT JOIN runs r ON r.id = h.run_id
             WHERE h.told IS NOT NULL ORDER BY h.caller, h.slot",
        )
        .fetch_all(self.store.read())
        .await?;
        for row in rows {
            if let Err(error) = self.settle_left(&row).await {
                tracing::error!(error = ?error, "a call that the last process left under way was not booked");
            }
        }
        self.release_all().await
    }

    async fn settle_left(&self, row: &Row) -> Result<()> {
        match left(row)? {
            Left::Run { place, booked } => {
                let mut appending = self.appending().await?;
                appending.book(&place, booked).await?;
                self.commit(appending).await
            }
            Left::Program { spender, metered } => self.settle_call(spender, Some(metered)).await,
        }
    }
}

fn left(row: &Row) -> Result<Left> {
    let told: String = row.try_get("told")?;
    let Told { kind, is_lent, is_servers, model, usage, cost, turn } =
        serde_json::from_str(&told).map_err(Error::internal)?;
    let provider = Some(ProviderId(row.try_get("provider_id")?));
    let metered = Metered {
        owner: UserId(row.try_get("user_id")?),
        provider,
        is_lent,
        is_servers,
        model,
        usage,
        cost,
        kind,
    };
    let token = TokenId(row.try_get("token_id")?);
    let run: Option<String> = row.try_get("run_id")?;
    let (Some(run), Some(turn)) = (run, turn) else {
        return Ok(Left::Program {
            spender: Spender::Program { token, call: row.try_get("caller")? },
            metered,
        });
    };
    let place = Place {
        agent: AgentId(row.try_get("agent_id")?),
        conversation: Some(ConversationId(row.try_get("conversation_id")?)),
        run: Some(RunId(run)),
    };
    let token = Some(token).filter(|token| !token.0.is_empty());
    Ok(Left::Run { place, booked: Booked { turn, token, metered } })
}
