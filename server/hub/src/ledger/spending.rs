//! What was spent: a row for each day, agent, provider, model and kind of call, raised in the commit that
//! logs the usage, or that lets go of what was held for a program.

use super::day;
use super::held;
use super::scope::Scope;
use super::server_spending;
use super::spender::{Slot, Spender};
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::store::{Connection, Transaction, query};
use protocol::SpentSoFar;
use protocol::log::EntryBody;
use protocol::model::Purpose;
use protocol::model::Usage;
use protocol::view::CallKind;
use protocol::{AgentId, Micros, ProviderId, RunId, TokenId, UserId};

/// Micro-dollars of a line at most, so that the sum of very many is a number.
pub(super) const MOST_A_LINE: i64 = 10_000_000_000_000;

/// A run's model call that was made, on its way into the books.
#[derive(Debug)]
pub(crate) struct BookedCall {
    pub(crate) turn: u32,
    /// Who pays: of a sub-agent the agent at the top.
    pub(crate) agent: AgentId,
    /// Of the program that the run answers.
    pub(crate) token: Option<TokenId>,
    pub(crate) metered: Metered,
}

/// What a model call used.
#[derive(Clone, Debug)]
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
    pub(crate) async fn book(&mut self, place: &EntryScope, booked: BookedCall) -> Result<()> {
        let BookedCall { turn, agent, token, metered } = booked;
        let aside = purpose(metered.kind);
        let now = self.now();
        let line = SpendingRecord::of(Some(&agent), token.as_ref(), &metered, now);
        let growth = Growth::default().by(&metered);
        meter(&mut self.tx, &line, growth).await?;
        let used = EntryBody::Used {
            turn,
            model: metered.model.clone(),
            usage: metered.usage,
            cost: metered.cost,
            aside,
        };
        self.append(place, used).await?;
        // It comes after the row of the agent, which whoever else books for it has to wait for first.
        server_spending::meter(&mut self.tx, [(&line, &growth)]).await?;
        let Metered { owner, provider, is_lent, is_servers: _, model, usage: _, cost, kind: _ } = metered;
        let unpriced = cost.is_none().then_some(model);
        if let Some(run) = &place.run {
            query("UPDATE runs SET cost = cost + $2 WHERE id = $1", (run, cost.map_or(0, |cost| cost.0)))
                .execute(&mut *self.tx)
                .await?;
            meter_schedule(&mut self.tx, run, cost, now).await?;
            meter_pipeline(&mut self.tx, run, cost).await?;
            held::release(&mut self.tx, &run.0, Slot::of(aside).name()).await?;
        }
        let lent = provider.filter(|_| is_lent);
        if let Some(model) = unpriced {
            self.say_unpriced(place, turn, &owner, &model).await?;
        }
        self.warn(place, turn, &owner, &agent, lent.as_ref(), token.as_ref()).await
    }

    /// Puts a call on the meter whose agent or conversation is gone, and lets go of what was held for it: what was used
    /// is used, though no log is there to say so.
    pub(crate) async fn book_unlogged(&mut self, spender: &Spender, metered: &Metered) -> Result<()> {
        let line = SpendingRecord::of(spender.agent(), spender.token(), metered, self.now());
        let growth = Growth::default().by(metered);
        meter(&mut self.tx, &line, growth).await?;
        server_spending::meter(&mut self.tx, [(&line, &growth)]).await?;
        held::release(&mut self.tx, spender.caller(), spender.slot()).await
    }

    /// Lets go of what was held for a call that used nothing.
    pub(crate) async fn let_go(&mut self, spender: &Spender) -> Result<()> {
        held::release(&mut self.tx, spender.caller(), spender.slot()).await
    }
}

/// What a line of spending is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SpendingRecord<'a> {
    pub(super) day: String,
    pub(super) owner: &'a str,
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
    pub(super) server_cost: i64,
}

impl<'a> SpendingRecord<'a> {
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
pub(super) async fn meter(tx: &mut Transaction, line: &SpendingRecord<'_>, growth: Growth) -> Result<()> {
    query(
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
        (
            &line.day,
            line.owner,
            line.agent,
            line.token,
            line.provider,
            line.model,
            line.kind,
            growth.calls,
            growth.unpriced,
            growth.input,
            growth.output,
            growth.cost.min(MOST_A_LINE),
            growth.server_cost.min(MOST_A_LINE),
            MOST_A_LINE,
        ),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Puts it to the account of the schedule that began the run, if one did.
async fn meter_schedule(tx: &mut Transaction, run: &RunId, cost: Option<Micros>, now: i64) -> Result<()> {
    query(
        "INSERT INTO schedule_spending (schedule_id, day, cost)
         SELECT s.id, $2, $3 FROM runs r JOIN schedules s ON s.id = r.schedule_id WHERE r.id = $1
         ON CONFLICT (schedule_id, day) DO UPDATE SET cost = schedule_spending.cost + excluded.cost",
        (run, day::of(now), cost.map_or(0, |cost| cost.0)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Puts it to the account of the pipeline that the run is a part of. What goes on from a start before spends under the
/// budget of the last one: it asks that, and would get round it if it did not count.
async fn meter_pipeline(tx: &mut Transaction, run: &RunId, cost: Option<Micros>) -> Result<()> {
    query(
        "INSERT INTO pipeline_spending (pipeline_id, chain, cost)
         SELECT p.id, p.chain, $2 FROM runs r JOIN pipelines p ON p.id = r.pipeline_id
         WHERE r.id = $1
         ON CONFLICT (pipeline_id, chain) DO UPDATE SET cost = pipeline_spending.cost + excluded.cost",
        (run, cost.map_or(0, |cost| cost.0)),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What a call on the side is for; `None`: it is a turn's.
pub(super) fn purpose(kind: CallKind) -> Option<Purpose> {
    match kind {
        CallKind::Reply
        | CallKind::Unfinished
        | CallKind::Speech
        | CallKind::Meaning
        | CallKind::Proposal
        | CallKind::Program => None,
        CallKind::Summary => Some(Purpose::Summary),
        CallKind::Plan => Some(Purpose::Plan),
        CallKind::Title => Some(Purpose::Title),
        CallKind::Memories => Some(Purpose::Memories),
        CallKind::Search => Some(Purpose::Search),
    }
}

/// What counts against a limit of a scope.
pub(super) struct SoFar {
    /// Calls under way left out.
    pub(super) spent: SpentSoFar,
    /// The most that those cost.
    pub(super) held: Micros,
}

/// Sums over what was `spent` and is `held`: today (`$1`), in this month (`$2`), ever.
const SUMS: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN day = $1 THEN cost ELSE 0 END), 0) AS BIGINT),
            CAST(COALESCE(SUM(CASE WHEN SUBSTR(day, 1, 7) = $2 THEN cost ELSE 0 END), 0) AS BIGINT),
            CAST(COALESCE(SUM(cost), 0) AS BIGINT),
            (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM held)
     FROM spent";

pub(super) async fn so_far(connection: &mut Connection, scope: Scope<'_>, now: i64) -> Result<SoFar> {
    let today = day::of(now);
    let month = day::month(&today).to_owned();
    let query = match scope {
        Scope::Agent(agent) => query(
            [
                "WITH spent AS (SELECT day, cost FROM spending WHERE agent_id = $3),
                      held AS (SELECT amount FROM holds WHERE agent_id = $3)",
                SUMS,
            ],
            (today, month, agent),
        ),
        Scope::Token(token) => query(
            [
                "WITH spent AS (SELECT day, cost FROM spending WHERE token_id = $3),
                      held AS (SELECT amount FROM holds WHERE token_id = $3)",
                SUMS,
            ],
            (today, month, token),
        ),
        Scope::Schedule(schedule) => query(
            [
                "WITH spent AS (SELECT day, cost FROM schedule_spending WHERE schedule_id = $3),
                      held AS (SELECT h.amount FROM holds h CROSS JOIN runs r
                               WHERE r.id = h.run_id AND r.schedule_id = $3)",
                SUMS,
            ],
            (today, month, schedule),
        ),
        Scope::Pipeline(pipeline) => query(
            [
                "WITH spent AS (SELECT CAST($1 AS TEXT) AS day, s.cost FROM pipeline_spending s
                                JOIN pipelines p ON p.id = s.pipeline_id AND p.chain = s.chain
                                WHERE s.pipeline_id = $3),
                      held AS (SELECT h.amount FROM holds h CROSS JOIN runs r
                               WHERE r.id = h.run_id AND r.pipeline_id = $3)",
                SUMS,
            ],
            (today, month, pipeline),
        ),
        Scope::Person(person) | Scope::Member(person) => query(
            [
                "WITH spent AS (SELECT day, cost FROM spending WHERE user_id = $3),
                      held AS (SELECT amount FROM holds WHERE user_id = $3)",
                SUMS,
            ],
            (today, month, person),
        ),
        Scope::Shared { provider, person } => query(
            [
                "WITH spent AS (SELECT day, cost FROM spending WHERE user_id = $3 AND provider_id = $4),
                      held AS (SELECT amount FROM holds WHERE user_id = $3 AND provider_id = $4)",
                SUMS,
            ],
            (today, month, person, provider),
        ),
        Scope::Server => query(
            [
                "WITH spent AS (SELECT day, cost FROM server_spending),
                      held AS (SELECT server_amount AS amount FROM holds)",
                SUMS,
            ],
            (today, month),
        ),
    };
    let (day, month, ever, held) = query.fetch_one(connection).await?;
    Ok(SoFar { spent: SpentSoFar { day, month, ever }, held })
}
