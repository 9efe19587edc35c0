//! Holding money for a model call before it is made.

use super::caps::{self, Caps};
use super::scope::Scope;
use super::spender::{Slot, Spender};
use super::spending::{self, SoFar};
use super::{resume, wanted};
use crate::Hub;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction};
use protocol::{Micros, ProviderId, RunId, UserId};
use sqlx::Row as _;
use std::sync::Arc;

const UNDER_WAY: &str =
    "A model call of this run is under way already, or the run is over. Try again in a moment.";

/// A model call that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) owner: &'a UserId,
    pub(crate) spender: &'a Spender,
    pub(crate) provider: &'a ProviderId,
    /// Whether the provider is an administrator's, who shares it.
    pub(crate) is_lent: bool,
    /// Whether an administrator pays for it.
    pub(crate) is_servers: bool,
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

/// What is held for a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Held {
    /// It is under no limit.
    #[default]
    Nothing,
    /// The most that it can cost.
    Most,
}

/// Scopes, by name and owner, in the order of a call.
pub(crate) type Limited = Vec<(&'static str, String)>;

impl<'a> Call<'a> {
    /// All limits that it has to keep to. Every transaction locks them in this order.
    fn scopes(&self) -> Vec<Scope<'a>> {
        let shared = self.is_lent.then_some(Scope::Shared { provider: self.provider, person: self.owner });
        let server = self.is_servers.then_some(Scope::Server);
        server
            .into_iter()
            .chain([Scope::Member(self.owner)])
            .chain(shared)
            .chain([Scope::Person(self.owner)])
            .chain(self.spender.agent().map(Scope::Agent))
            .chain(self.spender.token().map(Scope::Token))
            .collect()
    }
}

impl Hub {
    /// Holds the most that the call can cost, or says in words which limit it would pass. Where
    /// nothing is limited nothing is held.
    pub(crate) async fn hold(&self, call: &Call<'_>) -> Result<std::result::Result<Held, String>> {
        let limited = self.limited(call.scopes()).await?;
        if limited.is_empty() {
            return Ok(Ok(Held::Nothing));
        }
        let mut tx = self.store.write_aside().await?;
        for scope in limited {
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
        if !insert(&mut tx, call).await? {
            return Err(Error::Conflict(UNDER_WAY.to_owned()));
        }
        // A crash lets go of it in any case.
        tx.commit_soon().await?;
        Ok(Ok(Held::Most))
    }

    /// Those of the scopes that have a limit.
    async fn limited<'a>(&self, scopes: Vec<Scope<'a>>) -> Result<Vec<Scope<'a>>> {
        let key = scopes.iter().map(|scope| (scope.name(), scope.owner().to_owned())).collect();
        let have = self.limited.get(&self.store, key, async {
            let found = caps::among(self.store.read(), &scopes).await?;
            Ok(scopes.iter().map(|scope| found.iter().any(|(with, _)| with == scope)).collect())
        });
        let have: Arc<[bool]> = have.await?;
        Ok(scopes.into_iter().zip(have.iter()).filter_map(|(scope, has)| has.then_some(scope)).collect())
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

/// `false`: a call of this slot is under way, or the run is over.
async fn insert(tx: &mut Transaction, call: &Call<'_>) -> Result<bool> {
    let amount = call.most.micros().map_or(0, |most| most.0);
    let query = match call.spender {
        // A run that ended since has let go of everything, and nobody would let go of this.
        Spender::Run { .. } => sqlx::query(
            "INSERT INTO holds (caller, slot, run_id, user_id, agent_id, token_id, provider_id, amount, server_amount)
             SELECT id, $2, id, $3, $4, $5, $6, $7, $8 FROM runs WHERE id = $1 AND running = 1
             ON CONFLICT DO NOTHING",
        ),
        Spender::Program { .. } => sqlx::query(
            "INSERT INTO holds (caller, slot, user_id, agent_id, token_id, provider_id, amount, server_amount)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        ),
    };
    let inserted = query
        .bind(call.spender.caller())
        .bind(call.spender.slot())
        .bind(&call.owner.0)
        .bind(call.spender.agent().map_or("", |agent| &agent.0))
        .bind(call.spender.token().map_or("", |token| &token.0))
        .bind(&call.provider.0)
        .bind(amount)
        .bind(if call.is_servers { amount } else { 0 })
        .execute(&mut **tx)
        .await?;
    Ok(inserted.rows_affected() > 0)
}

pub(super) async fn release(tx: &mut Transaction, caller: &str, slot: &str) -> Result<()> {
    sqlx::query("DELETE FROM holds WHERE caller = $1 AND slot = $2")
        .bind(caller)
        .bind(slot)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Why this limit does not let the call through, in words.
async fn refusal(
    tx: &mut Transaction,
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
    tx: &mut Transaction,
    call: &Call<'_>,
    scope: Scope<'_>,
    caps: &Caps,
    most: Micros,
    now: i64,
) -> Result<Option<String>> {
    let SoFar { spent, held } = spending::so_far(tx, scope, now).await?;
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

/// What the run spent, and what its other call under way may cost.
async fn of_run(tx: &mut Transaction, run: &RunId) -> Result<(Micros, Micros)> {
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
