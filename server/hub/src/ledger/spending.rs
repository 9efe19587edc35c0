//! What was spent: a row for each day, agent, provider, model and kind of call, raised in the commit that
//! logs the usage, or that lets go of what was held for a program.

use super::day;
use super::scope::Scope;
use super::spender::{Slot, Spender};
use crate::Hub;
use crate::error::{Error, Result};
use crate::log::{Appending, Place};
use crate::store::Transaction;
use protocol::hub::Purpose;
use protocol::log::EntryBody;
use protocol::model::Usage;
use protocol::view::{CallKind, SpentSoFar};
use protocol::{AgentId, Micros, ProviderId, TokenId, UserId};
use sqlx::{AnyConnection, Row as _};

/// Micro-dollars of a line at most, so that the sum of very many is a number.
const MOST_A_LINE: i64 = 10_000_000_000_000;

/// A run's model call that was made, on its way into the books.
#[derive(Debug)]
pub(crate) struct Booked {
    pub(crate) turn: u32,
    /// Of the program that the run answers.
    pub(crate) token: Option<TokenId>,
    pub(crate) metered: Metered,
}

/// What a model call used.
#[derive(Debug)]
pub(crate) struct Metered {
    pub(crate) owner: UserId,
    pub(crate) provider: Option<ProviderId>,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
    /// Whether an administrator pays for it.
    pub(crate) is_servers: bool,
    pub(crate) model: String,
    pub(crate) usage: Usage,
    pub(crate) cost: Option<Micros>,
    pub(crate) kind: CallKind,
}

impl Appending {
    /// Logs what a call used, puts it on the meter, and lets go of what was held for it.
    pub(crate) async fn book(&mut self, place: &Place, booked: Booked) -> Result<()> {
        let Booked { turn, token, metered } = booked;
        let aside = purpose(metered.kind);
        let now = self.now();
        meter(&mut self.tx, Some(&place.agent), token.as_ref(), &metered, now).await?;
        let Metered { owner, provider, is_lent, is_servers: _, model, usage, cost, kind: _ } = metered;
        let unpriced = cost.is_none().then(|| model.clone());
        self.append(place, EntryBody::Used { turn, model, usage, cost, aside }).await?;
        if let Some(run) = &place.run {
            sqlx::query("UPDATE runs SET cost = cost + $2 WHERE id = $1")
                .bind(&run.0)
                .bind(cost.map_or(0, |cost| cost.0))
                .execute(&mut *self.tx)
                .await?;
            super::hold::release(&mut self.tx, &run.0, Slot::of(aside).name()).await?;
        }
        let lent = provider.filter(|_| is_lent);
        if let Some(model) = unpriced {
            self.say_unpriced(place, turn, &owner, &model).await?;
        }
        self.warn(place, turn, &owner, lent.as_ref(), token.as_ref()).await
    }

    /// Lets go of what was held for a call that used nothing.
    pub(crate) async fn let_go(&mut self, spender: &Spender) -> Result<()> {
        super::hold::release(&mut self.tx, spender.caller(), spender.slot()).await
    }
}

impl Hub {
    /// Puts what a program's call used on the meter, and lets go of what was held for it.
    pub(crate) async fn settle_call(&self, spender: &Spender, metered: Option<&Metered>) -> Result<()> {
        let mut tx = self.store.write_aside().await?;
        if let Some(metered) = metered {
            meter(&mut tx, spender.agent(), spender.token(), metered, self.now()).await?;
        }
        super::hold::release(&mut tx, spender.caller(), spender.slot()).await?;
        tx.commit().await?;
        Ok(())
    }
}

async fn meter(
    tx: &mut Transaction,
    agent: Option<&AgentId>,
    token: Option<&TokenId>,
    metered: &Metered,
    now: i64,
) -> Result<()> {
    let Metered { owner, provider, is_lent: _, is_servers, model, usage, cost, kind } = metered;
    let cost_of_server = cost.filter(|_| *is_servers);
    sqlx::query(
        "INSERT INTO spending (day, user_id, agent_id, token_id, provider_id, model, kind, calls, unpriced,
                               input_tokens, output_tokens, cost, server_cost)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $10, $11, $12)
         ON CONFLICT (user_id, day, agent_id, token_id, provider_id, model, kind) DO UPDATE SET
             calls = spending.calls + 1, unpriced = spending.unpriced + $8,
             input_tokens = spending.input_tokens + $9, output_tokens = spending.output_tokens + $10,
             cost = CASE WHEN spending.cost + $11 > $13 THEN $13 ELSE spending.cost + $11 END,
             server_cost = CASE WHEN spending.server_cost + $12 > $13 THEN $13
                                ELSE spending.server_cost + $12 END",
    )
    .bind(day::of(now))
    .bind(&owner.0)
    .bind(agent.map_or("", |agent| &agent.0))
    .bind(token.map_or("", |token| &token.0))
    .bind(provider.as_ref().map_or("", |provider| &provider.0))
    .bind(model)
    .bind(kind_text(*kind))
    .bind(i64::from(cost.is_none()))
    .bind(i64::try_from(usage.prompt()).unwrap_or(i64::MAX))
    .bind(i64::try_from(usage.output).unwrap_or(i64::MAX))
    .bind(cost.map_or(0, |cost| cost.0))
    .bind(cost_of_server.map_or(0, |cost| cost.0))
    .bind(MOST_A_LINE)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What a call on the side is for; `None`: it is a turn's.
pub(super) fn purpose(kind: CallKind) -> Option<Purpose> {
    match kind {
        CallKind::Reply | CallKind::Unfinished | CallKind::Program => None,
        CallKind::Summary => Some(Purpose::Summary),
        CallKind::Plan => Some(Purpose::Plan),
    }
}

pub(super) fn kind_text(kind: CallKind) -> &'static str {
    match kind {
        CallKind::Reply => "reply",
        CallKind::Unfinished => "unfinished",
        CallKind::Summary => "summary",
        CallKind::Plan => "plan",
        CallKind::Program => "program",
    }
}

pub(super) fn kind_from(text: &str) -> Result<CallKind> {
    [CallKind::Reply, CallKind::Unfinished, CallKind::Summary, CallKind::Plan, CallKind::Program]
        .into_iter()
        .find(|kind| kind_text(*kind) == text)
        .ok_or_else(|| Error::internal(format!("a call of the unknown kind {text:?} is booked")))
}

/// What counts against a limit of a scope.
pub(super) struct SoFar {
    /// Calls under way left out.
    pub(super) spent: SpentSoFar,
    /// The most that those cost.
    pub(super) held: Micros,
}

/// Sums over the rows of both tables that fit.
macro_rules! sums {
    ($spending:literal, $holds:literal) => {
        sums!("cost", $spending, "amount", $holds)
    };
    ($cost:literal, $spending:literal, $amount:literal, $holds:literal) => {
        concat!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN day = $1 THEN ",
            $cost,
            " ELSE 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN day >= $2 THEN ",
            $cost,
            " ELSE 0 END), 0) AS BIGINT), CAST(COALESCE(SUM(",
            $cost,
            "), 0) AS BIGINT), (SELECT CAST(COALESCE(SUM(",
            $amount,
            "), 0) AS BIGINT) FROM holds WHERE ",
            $holds,
            ") FROM spending WHERE ",
            $spending
        )
    };
}

pub(super) async fn so_far(connection: &mut AnyConnection, scope: Scope<'_>, now: i64) -> Result<SoFar> {
    let today = day::of(now);
    let month = day::first_of_month(&today);
    let (whose, provider) = match scope {
        Scope::Shared { provider, person } => (person.0.as_str(), provider.0.as_str()),
        Scope::Agent(_) | Scope::Token(_) | Scope::Person(_) | Scope::Member(_) | Scope::Server => {
            (scope.owner(), "")
        }
    };
    let query = match scope {
        Scope::Agent(_) => sqlx::query(sums!("agent_id = $3 AND $4 = ''", "agent_id = $3")),
        Scope::Token(_) => sqlx::query(sums!("token_id = $3 AND $4 = ''", "token_id = $3")),
        Scope::Person(_) | Scope::Member(_) => sqlx::query(sums!("user_id = $3 AND $4 = ''", "user_id = $3")),
        Scope::Shared { .. } => {
            sqlx::query(sums!("user_id = $3 AND provider_id = $4", "user_id = $3 AND provider_id = $4"))
        }
        Scope::Server => sqlx::query(sums!("server_cost", "$3 = '' AND $4 = ''", "server_amount", "1 = 1")),
    };
    let row = query.bind(today).bind(month).bind(whose).bind(provider).fetch_one(connection).await?;
    let sum = |at: usize| Ok::<_, Error>(Micros(row.try_get(at)?));
    Ok(SoFar { spent: SpentSoFar { day: sum(0)?, month: sum(1)?, ever: sum(2)? }, held: sum(3)? })
}
