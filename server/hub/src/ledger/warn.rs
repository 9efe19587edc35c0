//! A word in time: when most of a limit is used up, it is said in the conversation that brought it
//! there, once for each day or month, and on the wall as long as it is so.

use super::caps::{self, Caps};
use super::day;
use super::scope::Scope;
use super::spending;
use crate::error::Result;
use crate::ledger::OwnLedger;
use crate::log::{Appending, EntryScope};
use crate::store::{Connection, Row, Transaction, query};
use protocol::SpentSoFar;
use protocol::log::{EntryBody, NoticeKind};
use protocol::view::LimitWarning;
use protocol::{AgentId, Micros, PipelineId, ProviderId, ScheduleId, TokenId, UserId};
use protocol::{told, words};

/// Of a hundred parts of the limit.
const MOST_OF_IT: i64 = 80;

/// A limit of which most is used up.
struct Near {
    per: &'static str,
    /// The day or month that it is about.
    period: String,
    limit: Micros,
    spent: Micros,
}

impl OwnLedger<'_> {
    /// The limits of the person, their agents, programs, schedules and pipelines at work, and of what is shared with
    /// them, of which most is used up; for administrators also those of the server.
    pub async fn limit_warnings(self) -> Result<Vec<LimitWarning>> {
        let mut connection = self.scoped.hub.store().reader().await?;
        let (person, now) = (&self.scoped.viewer.me.id, self.scoped.hub.now());
        let mut warnings = Vec::new();
        let server = self.scoped.hub.as_admin(self.scoped.viewer).map(|_| Scope::Server);
        for scope in [Scope::Member(person), Scope::Person(person)].into_iter().chain(server) {
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(scope.in_words()), None));
            }
        }
        let limited = query(
            "SELECT a.id, a.name FROM agents a JOIN caps c ON c.scope = 'agent' AND c.owner = a.id
             WHERE a.user_id = $1 ORDER BY a.name, a.id",
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(&mut connection)
        .await?;
        for row in limited {
            let (agent, name) = (row.get("id")?, row.get::<String>("name")?);
            let scope = Scope::Agent(&agent);
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(&name), Some(&agent)));
            }
        }
        let shared = query(
            "SELECT p.id, p.name FROM providers p JOIN caps c ON c.scope = 'shared' AND c.owner = p.id
             WHERE p.id IN (SELECT v.provider_id FROM usable_providers v WHERE v.user_id = $1)
               AND p.user_id <> $1 ORDER BY p.name, p.id",
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(&mut connection)
        .await?;
        for row in shared {
            let (provider, name) = (row.get("id")?, row.get::<String>("name")?);
            let who = told!("On {name}, which is shared with you, all your agents together");
            let scope = Scope::Shared { provider: &provider, person };
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(&who), None));
            }
        }
        let tokens = query(
            "SELECT t.id, t.name FROM tokens t JOIN caps c ON c.scope = 'token' AND c.owner = t.id
             WHERE t.user_id = $1 ORDER BY t.name, t.id",
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(&mut connection)
        .await?;
        for row in tokens {
            let (token, name) = (row.get("id")?, row.get::<String>("name")?);
            let who = told!("The program with the token {name}");
            let scope = Scope::Token(&token);
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(&who), None));
            }
        }
        let schedules = query(
            "SELECT s.id, s.name, a.id AS agent_id, a.name AS agent FROM schedules s
             JOIN agents a ON a.id = s.agent_id JOIN caps c ON c.scope = 'schedule' AND c.owner = s.id
             WHERE a.user_id = $1 ORDER BY s.name, s.id",
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(&mut connection)
        .await?;
        for row in schedules {
            let (schedule, name) = (row.get("id")?, row.get::<String>("name")?);
            let (agent, of) = (row.get("agent_id")?, row.get::<String>("agent")?);
            let who = told!("The schedule {name} of {of}");
            let scope = Scope::Schedule(&schedule);
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(&who), Some(&agent)));
            }
        }
        // What is over spends no more.
        let pipelines = query(
            "SELECT p.id, p.title FROM pipelines p JOIN caps c ON c.scope = 'pipeline' AND c.owner = p.id
             WHERE p.user_id = $1 AND p.state = 'running' ORDER BY p.title, p.id",
            (self.scoped.owner(),),
        )
        .fetch_all::<Row>(&mut connection)
        .await?;
        for row in pipelines {
            let (pipeline, title) = (row.get("id")?, row.get::<String>("title")?);
            let who = told!("The pipeline {title}");
            let scope = Scope::Pipeline(&pipeline);
            for near in look(&mut connection, scope, now).await? {
                warnings.push(scope.warning(near.in_words(&who), None));
            }
        }
        Ok(warnings)
    }
}

impl Appending {
    /// Says in the conversation of which limits most is used up by now.
    pub(super) async fn warn(
        &mut self,
        place: &EntryScope,
        turn: u32,
        person: &UserId,
        agent: &AgentId,
        provider: Option<&ProviderId>,
        token: Option<&TokenId>,
    ) -> Result<()> {
        let now = self.now();
        let shared = provider.map(|provider| Scope::Shared { provider, person });
        let (schedule, pipeline) = self.part_of(place).await?;
        let others = [Scope::Server, Scope::Member(person), Scope::Person(person), Scope::Agent(agent)];
        let scopes: Vec<_> = others
            .into_iter()
            .chain(shared)
            .chain(token.map(Scope::Token))
            .chain(schedule.as_ref().map(Scope::Schedule))
            .chain(pipeline.as_ref().map(Scope::Pipeline))
            .collect();
        for (scope, caps) in caps::among(&mut *self.tx, &scopes).await? {
            let spent = spending::so_far(&mut self.tx, scope, now).await?.spent;
            for near in near(&caps, &spent, now) {
                let told = query(
                    "INSERT INTO warned_limits (scope, owner, user_id, period) VALUES ($1, $2, $3, $4)
                     ON CONFLICT DO NOTHING",
                    (scope.of(), scope.owner(), person, &near.period),
                )
                .execute(&mut *self.tx)
                .await?;
                if told > 0 {
                    let text = near.in_words(scope.in_words());
                    self.append(place, EntryBody::Notice { turn, kind: NoticeKind::Limit, text }).await?;
                }
            }
        }
        Ok(())
    }

    /// The schedule that began the run, and the pipeline that it is a part of.
    async fn part_of(&mut self, place: &EntryScope) -> Result<(Option<ScheduleId>, Option<PipelineId>)> {
        let Some(run) = &place.run else { return Ok((None, None)) };
        let of = query("SELECT schedule_id, pipeline_id FROM runs WHERE id = $1", (run,))
            .fetch_optional(&mut *self.tx)
            .await?;
        Ok(of.unwrap_or_default())
    }
}

impl Appending {
    /// Says once for each model that its calls are in no sum, because nobody knows what it costs.
    pub(super) async fn say_unpriced(
        &mut self,
        place: &EntryScope,
        turn: u32,
        person: &UserId,
        model: &str,
    ) -> Result<()> {
        let told = query(
            "INSERT INTO warned_limits (scope, owner, user_id, period) VALUES ('price', $1, $2, 'ever')
             ON CONFLICT DO NOTHING",
            (model, person),
        )
        .execute(&mut *self.tx)
        .await?;
        if told == 0 {
            return Ok(());
        }
        let text = told!(
            "Nobody knows here what {model} costs, so its calls are not in what you spent. Enter its price under Models. As soon as a limit on spending is set, it is not called without one."
        );
        self.append(place, EntryBody::Notice { turn, kind: NoticeKind::Limit, text }).await?;
        Ok(())
    }
}

impl Scope<'_> {
    fn warning(self, message: String, agent: Option<&AgentId>) -> LimitWarning {
        LimitWarning { message, of: self.of(), agent: agent.cloned() }
    }
}

impl Near {
    fn in_words(&self, who: &str) -> String {
        let Self { per, limit, spent, .. } = self;
        told!("{who} may spend {limit} {per}. {spent} is spent.")
    }
}

/// It is started anew, or gone: what was said of its budget was said of the start before.
pub(crate) async fn forget_warnings_of_pipeline(tx: &mut Transaction, pipeline: &PipelineId) -> Result<()> {
    let scope = Scope::Pipeline(pipeline);
    query("DELETE FROM warned_limits WHERE scope = $1 AND owner = $2", (scope.of(), scope.owner()))
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// Nothing is left of its budget, in words.
pub(crate) async fn pipeline_is_used_up(
    tx: &mut Transaction,
    pipeline: &PipelineId,
    now: i64,
) -> Result<Option<String>> {
    let scope = Scope::Pipeline(pipeline);
    let Some(Caps { ever: Some(limit), .. }) = caps::find(tx, scope).await? else { return Ok(None) };
    let spent = spending::so_far(tx, scope, now).await?.spent.ever;
    let used_up = Near { per: words!("in all"), period: String::new(), limit, spent };
    Ok((spent >= limit).then(|| used_up.in_words(scope.in_words())))
}

async fn look(connection: &mut Connection, scope: Scope<'_>, now: i64) -> Result<Vec<Near>> {
    let Some(caps) = caps::find(connection, scope).await? else { return Ok(Vec::new()) };
    Ok(near(&caps, &spending::so_far(connection, scope, now).await?.spent, now))
}

fn near(caps: &Caps, spent: &SpentSoFar, now: i64) -> Vec<Near> {
    let today = day::of(now);
    let month = day::first_of_month(&today);
    let periods = [
        (caps.per_day, words!("a day"), format!("day {today}"), spent.day),
        (caps.per_month, words!("a month"), format!("month {month}"), spent.month),
        (caps.ever, words!("in all"), "ever".to_owned(), spent.ever),
    ];
    let near = periods.into_iter().filter_map(|(limit, per, period, spent)| {
        let limit = limit?;
        let is_near = spent.0.saturating_mul(100) >= limit.0.saturating_mul(MOST_OF_IT);
        (limit.0 > 0 && is_near).then_some(Near { per, period: format!("{period} {limit}"), limit, spent })
    });
    near.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_a_limit_is_eighty_percent_of_it() {
        let micros = |micros| Some(Micros(micros));
        for (caps, spent, expected) in [
            (Caps::default(), 900, vec![]),
            (Caps { per_day: micros(1000), ..Caps::default() }, 799, vec![]),
            (Caps { per_day: micros(1000), ..Caps::default() }, 800, vec!["a day"]),
            (
                Caps { per_day: micros(1000), ever: micros(900), ..Caps::default() },
                2000,
                vec!["a day", "in all"],
            ),
            (Caps { per_month: micros(0), ..Caps::default() }, 0, vec![]),
            (Caps { per_call: micros(1), per_run: micros(1), ..Caps::default() }, 900, vec![]),
        ] {
            let spent = Micros(spent);
            let spent = SpentSoFar { day: spent, month: spent, ever: spent };
            let found: Vec<_> = near(&caps, &spent, 0).iter().map(|near| near.per).collect();
            assert_eq!(found, expected, "{caps:?}");
        }
    }
}
