//! What was spent: a row for each day, agent, provider, model and kind of call, raised in the commit that
//! logs the usage, or that lets go of what was held for a program.

use super::day;
use super::desk::{Bill, Visit};
use super::held;
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
use protocol::{AgentId, Micros, ProviderId, RunId, TokenId, UserId};
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
        let line = Line::of(Some(&place.agent), token.as_ref(), &metered, now);
        meter(&mut self.tx, &line, Growth::default().by(&metered)).await?;
        let Metered { owner, provider, is_lent, is_servers: _, model, usage, cost, kind: _ } = metered;
        let unpriced = cost.is_none().then(|| model.clone());
        self.append(place, EntryBody::Used { turn, model, usage, cost, aside }).await?;
        if let Some(run) = &place.run {
            sqlx::query("UPDATE runs SET cost = cost + $2 WHERE id = $1")
                .bind(&run.0)
                .bind(cost.map_or(0, |cost| cost.0))
                .execute(&mut *self.tx)
                .await?;
            meter_schedule(&mut self.tx, run, cost, now).await?;
            held::release(&mut self.tx, &run.0, Slot::of(aside).name()).await?;
        }
        let lent = provider.filter(|_| is_lent);
        if let Some(model) = unpriced {
            self.say_unpriced(place, turn, &owner, &model).await?;
        }
        self.warn(place, turn, &owner, lent.as_ref(), token.as_ref()).await
    }

    /// Lets go of what was held for a call that used nothing.
    pub(crate) async fn let_go(&mut self, spender: &Spender) -> Result<()> {
        held::release(&mut self.tx, spender.caller(), spender.slot()).await
    }
}

impl Hub {
    /// Puts what a program's call used on the meter, and lets go of what was held for it. It is done also
    /// if nobody waits for the answer.
    pub(crate) async fn settle_call(&self, spender: Spender, metered: Option<Metered>) -> Result<()> {
        self.desk.visit(|told| Visit::Bill(Bill { spender, metered }, told)).await
    }
}

/// What a line of spending is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line<'a> {
    day: String,
    owner: &'a str,
    agent: &'a str,
    token: &'a str,
    provider: &'a str,
    model: &'a str,
    kind: CallKind,
}

/// What a line grows by.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    calls: i64,
    unpriced: i64,
    input: i64,
    output: i64,
    cost: i64,
    server_cost: i64,
}

impl<'a> Line<'a> {
    pub(super) fn of(
        agent: Option<&'a AgentId>,
        token: Option<&'a TokenId>,
        metered: &'a Metered,
        now: i64,
    ) -> Self {
        Self {
            day: day::of(now),
            owner: &metered.owner.0,
            agent: agent.map_or("", |agent| &agent.0),
            token: token.map_or("", |token| &token.0),
            provider: metered.provider.as_ref().map_or("", |provider| &provider.0),
            model: &metered.model,
            kind: metered.kind,
        }
    }
}

impl Growth {
    pub(super) fn by(self, metered: &Metered) -> Self {
        let Metered { is_servers, usage, cost, .. } = metered;
        let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        let cost_in_micros = cost.map_or(0, |cost| cost.0);
        Self {
            calls: self.calls + 1,
            unpriced: self.unpriced + i64::from(cost.is_none()),
            input: self.input.saturating_add(count(usage.prompt())),
            output: self.output.saturating_add(count(usage.output)),
            cost: self.cost.saturating_add(cost_in_micros),
            server_cost: self.server_cost.saturating_add(if *is_servers { cost_in_micros } else { 0 }),
        }
    }
}

/// What a person used who was removed meanwhile stays used.
pub(super) async fn meter(tx: &mut Transaction, line: &Line<'_>, growth: Growth) -> Result<()> {
    sqlx::query(
        "INSERT INTO spending (day, user_id, agent_id, token_id, provider_id, model, kind, calls, unpriced,
                               input_tokens, output_tokens, cost, server_cost)
         VALUES ($1, COALESCE((SELECT u.id FROM users u WHERE u.id = $2),
                              (SELECT MAX(r.id) FROM users r WHERE r.role = 'removed')),
                 $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
         ON CONFLICT (user_id, day, agent_id, token_id, provider_id, model, kind) DO UPDATE SET
             calls = spending.calls + $8, unpriced = spending.unpriced + $9,
             input_tokens = spending.input_tokens + $10, output_tokens = spending.output_tokens + $11,
             cost = CASE WHEN spending.cost + $12 > $14 THEN $14 ELSE spending.cost + $12 END,
             server_cost = CASE WHEN spending.server_cost + $13 > $14 THEN $14
                                ELSE spending.server_cost + $13 END",
    )
    .bind(&line.day)
    .bind(line.owner)
    .bind(line.agent)
    .bind(line.token)
    .bind(line.provider)
    .bind(line.model)
    .bind(kind_text(line.kind))
    .bind(growth.calls)
    .bind(growth.unpriced)
    .bind(growth.input)
    .bind(growth.output)
    .bind(growth.cost.min(MOST_A_LINE))
    .bind(growth.server_cost.min(MOST_A_LINE))
    .bind(MOST_A_LINE)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Puts it to the account of the schedule that began the run, if one did.
async fn meter_schedule(tx: &mut Transaction, run: &RunId, cost: Option<Micros>, now: i64) -> Result<()> {
    sqlx::query(
        "INSERT INTO schedule_spending (schedule_id, day, cost)
         SELECT s.id, $2, $3 FROM runs r JOIN schedules s ON s.id = r.schedule_id WHERE r.id = $1
         ON CONFLICT (schedule_id, day) DO UPDATE SET cost = schedule_spending.cost + excluded.cost",
    )
    .bind(&run.0)
    .bind(day::of(now))
    .bind(cost.map_or(0, |cost| cost.0))
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
        sums!("spending", "cost", $spending, "amount", $holds)
    };
    ($table:literal, $cost:literal, $spending:literal, $amount:literal, $holds:literal) => {
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
            ") FROM ",
            $table,
            " WHERE ",
            $spending
        )
    };
}

pub(super) async fn so_far(connection: &mut AnyConnection, scope: Scope<'_>, now: i64) -> Result<SoFar> {
    let today = day::of(now);
    let month = day::first_of_month(&today);
    let (whose, provider) = match scope {
        Scope::Shared { provider, person } => (person.0.as_str(), provider.0.as_str()),
        Scope::Agent(_)
        | Scope::Token(_)
        | Scope::Schedule(_)
        | Scope::Person(_)
        | Scope::Member(_)
        | Scope::Server => (scope.owner(), ""),
    };
    let query = match scope {
        Scope::Agent(_) => sqlx::query(sums!("agent_id = $3 AND $4 = ''", "agent_id = $3")),
        Scope::Token(_) => sqlx::query(sums!("token_id = $3 AND $4 = ''", "token_id = $3")),
        Scope::Schedule(_) => sqlx::query(sums!(
            "schedule_spending",
            "cost",
            "schedule_id = $3 AND $4 = ''",
            "amount",
            "run_id IN (SELECT r.id FROM runs r WHERE r.schedule_id = $3)"
        )),
        Scope::Person(_) | Scope::Member(_) => sqlx::query(sums!("user_id = $3 AND $4 = ''", "user_id = $3")),
        Scope::Shared { .. } => {
            sqlx::query(sums!("user_id = $3 AND provider_id = $4", "user_id = $3 AND provider_id = $4"))
        }
        Scope::Server => {
            sqlx::query(sums!("spending", "server_cost", "$3 = '' AND $4 = ''", "server_amount", "1 = 1"))
        }
    };
    let row = query.bind(today).bind(month).bind(whose).bind(provider).fetch_one(connection).await?;
    let sum = |at: usize| Ok::<_, Error>(Micros(row.try_get(at)?));
    Ok(SoFar { spent: SpentSoFar { day: sum(0)?, month: sum(1)?, ever: sum(2)? }, held: sum(3)? })
}
