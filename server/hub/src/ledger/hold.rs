//! Holding money for a model call before it is made.

use super::caps::{self, Caps};
use super::scope::Scope;
use super::spender::{Slot, Spender};
use super::{resume, spending, wanted};
use crate::Hub;
use crate::error::Result;
use crate::store::Row;
use protocol::{Micros, ProviderId, RunId, UserId};
use sqlx::{Any, AnyConnection, Row as _, Transaction};

/// A model call that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) owner: &'a UserId,
    pub(crate) spender: &'a Spender,
    pub(crate) provider: &'a ProviderId,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
    pub(crate) model: &'a str,
    pub(crate) most: Most,
}

/// The most that a call can cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Most {
    Known(Micros),
    /// By a price that the person entered: it counts for their own limits.
    OwnWord(Micros),
    Unknown,
}

impl<'a> Call<'a> {
    /// All limits that it has to keep to. Every transaction locks them in this order.
    fn scopes(&self) -> Vec<Scope<'a>> {
        let shared = self.is_lent.then_some(Scope::Shared { provider: self.provider, person: self.owner });
        [Scope::Server, Scope::Member(self.owner)]
            .into_iter()
            .chain(shared)
            .chain([Scope::Person(self.owner)])
            .chain(self.spender.agent().map(Scope::Agent))
            .chain(self.spender.token().map(Scope::Token))
            .chain(self.spender.schedule().map(Scope::Schedule))
            .collect()
    }
}

impl Hub {
    /// Holds the most that the call can cost, or says in words which limit it would pass. Where
    /// nothing is limited nothing is held.
    pub(crate) async fn hold(&self, call: &Call<'_>) -> Result<std::result::Result<(), String>> {
        let scopes = call.scopes();
        if caps::among(self.store.read(), &scopes).await?.is_empty() {
            return Ok(Ok(()));
        }
        let mut tx = self.store.write().await?;
        release(&mut tx, call.spender.caller(), call.spender.slot()).await?;
        for scope in scopes {
            let Some(caps) = caps::lock(&mut tx, scope).await? else { continue };
            if let Some(why) = refusal(&mut tx, call, scope, &caps, self.now()).await? {
                match call.spender {
                    Spender::Run { agent, slot: Slot::Turn, .. } => {
                        resume::note(&mut tx, agent, scope).await?;
                    }
                    Spender::Run { slot: Slot::Aside, .. } | Spender::Program { .. } => {}
                }
                tx.commit().await?;
                return Ok(Err(why));
            }
        }
        insert(&mut tx, call).await?;
        tx.commit().await?;
        Ok(Ok(()))
    }

    /// Lets go of whatever was held for calls when the hub stopped.
    pub(super) async fn release_all(&self) -> Result<()> {
        let mut tx = self.store.write().await?;
        sqlx::query("DELETE FROM holds").execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Most {
    fn micros(self) -> Option<Micros> {
        match self {
            Self::Known(most) | Self::OwnWord(most) => Some(most),
            Self::Unknown => None,
        }
    }

    /// What counts for this limit.
    fn under(self, scope: Scope<'_>) -> Option<Micros> {
        match self {
            Self::OwnWord(_) if scope.is_of_administrators() => None,
            Self::Known(_) | Self::OwnWord(_) | Self::Unknown => self.micros(),
        }
    }
}

async fn insert(tx: &mut Transaction<'static, Any>, call: &Call<'_>) -> Result<()> {
    let query = match call.spender {
        // A run that ended since has let go of everything, and nobody would let go of this.
        Spender::Run { .. } => sqlx::query(
            "INSERT INTO holds (caller, slot, run_id, user_id, agent_id, token_id, provider_id, amount)
             SELECT id, $2, id, $3, $4, $5, $6, $7 FROM runs WHERE id = $1 AND running = 1",
        ),
        Spender::Program { .. } => sqlx::query(
            "INSERT INTO holds (caller, slot, user_id, agent_id, token_id, provider_id, amount)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        ),
    };
    query
        .bind(call.spender.caller())
        .bind(call.spender.slot())
        .bind(&call.owner.0)
        .bind(call.spender.agent().map_or("", |agent| &agent.0))
        .bind(call.spender.token().map_or("", |token| &token.0))
        .bind(&call.provider.0)
        .bind(call.most.micros().map_or(0, |most| most.0))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

pub(super) async fn release(tx: &mut Transaction<'static, Any>, caller: &str, slot: &str) -> Result<()> {
    sqlx::query("DELETE FROM holds WHERE caller = $1 AND slot = $2")
        .bind(caller)
        .bind(slot)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Why this limit does not let the call through, in words.
async fn refusal(
    tx: &mut Transaction<'static, Any>,
    call: &Call<'_>,
    scope: Scope<'_>,
    caps: &Caps,
    now: i64,
) -> Result<Option<String>> {
    let Some(most) = call.most.under(scope) else {
        if !scope.is_of_administrators() {
            return Ok(Some(unpriced(call.model)));
        }
        wanted::note(tx, call.model, call.owner, now).await?;
        return Ok(Some(unpriced_for_administrators(call.model)));
    };
    over(tx, call, scope, caps, most, now).await
}

/// The first limit of the scope that the call would pass, in words.
async fn over(
    tx: &mut Transaction<'static, Any>,
    call: &Call<'_>,
    scope: Scope<'_>,
    caps: &Caps,
    most: Micros,
    now: i64,
) -> Result<Option<String>> {
    let spent = spending::so_far(tx, scope, now).await?;
    let held = held(tx, scope).await?;
    let none = Micros(0);
    let (run, held_by_run) = match call.spender.run() {
        Some(run) => of_run(tx, run).await?,
        None => (none, none),
    };
    for (limit, per, spent, held) in [
        (caps.per_call, "a call", none, none),
        (caps.per_run, "a run", run, held_by_run),
        (caps.per_day, "a day", spent.day, held),
        (caps.per_month, "a month", spent.month, held),
        (caps.ever, "in all", spent.ever, held),
    ] {
        let Some(limit) = limit else { continue };
        if spent.0.saturating_add(held.0).saturating_add(most.0) <= limit.0 {
            continue;
        }
        let held = if held == none { String::new() } else { format!(" {held} is held for other calls.") };
        return Ok(Some(format!(
            "{} may spend {limit} {per}. {spent} is spent.{held} The next call may cost up to {most}.",
            scope.in_words()
        )));
    }
    Ok(None)
}

fn unpriced(model: &str) -> String {
    format!(
        "There is a limit on spending, and nobody knows what {model} costs. Enter its price under Models, or take the limit away."
    )
}

fn unpriced_for_administrators(model: &str) -> String {
    format!(
        "An administrator limits spending here, and nobody knows what {model} costs. The administrators see under Models that you wait for its price; the agent goes on when they have entered it. Or choose another model."
    )
}

async fn held(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Micros> {
    let query = match scope {
        Scope::Agent(_) => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE agent_id = $1")
                .bind(scope.owner())
        }
        Scope::Token(_) => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE token_id = $1")
                .bind(scope.owner())
        }
        Scope::Schedule(_) => sqlx::query(
            "SELECT CAST(COALESCE(SUM(h.amount), 0) AS BIGINT) FROM holds h JOIN runs r ON r.id = h.run_id
             WHERE r.schedule_id = $1",
        )
        .bind(scope.owner()),
        Scope::Person(_) | Scope::Member(_) => {
            sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE user_id = $1")
                .bind(scope.owner())
        }
        Scope::Shared { provider, person } => sqlx::query(
            "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE provider_id = $1 AND user_id = $2",
        )
        .bind(&provider.0)
        .bind(&person.0),
        Scope::Server => sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds"),
    };
    micros(&query.fetch_one(connection).await?)
}

/// What the run spent, and what its other call under way may cost.
async fn of_run(tx: &mut Transaction<'static, Any>, run: &RunId) -> Result<(Micros, Micros)> {
    let spent = sqlx::query("SELECT cost FROM runs WHERE id = $1").bind(&run.0).fetch_one(&mut **tx).await?;
    let held = sqlx::query("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM holds WHERE run_id = $1")
        .bind(&run.0)
        .fetch_one(&mut **tx)
        .await?;
    Ok((micros(&spent)?, micros(&held)?))
}

fn micros(row: &Row) -> Result<Micros> {
    Ok(Micros(row.try_get(0)?))
}
