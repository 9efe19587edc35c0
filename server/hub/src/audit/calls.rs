//! Looking calls of tools up: people those of their agents, administrators those of everybody, without what
//! they were about.

use super::read::pattern;
use crate::audit::{OwnAudit, WholeAudit};
use crate::error::{Error, Result};
use crate::store::{Readers, Row, name_of, named, query};
use protocol::view::{CallDecider, CallLine, CallOutcome, CallsPage};
use protocol::{AgentId, CallId, RunId, UserId};

/// Lines handed out at a time.
const PAGE: usize = 50;

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct CallsQuery {
    /// A part of a tool's name; for who reads their own, also of an agent's name or of what it was about.
    pub text: String,
    pub outcome: Option<CallOutcome>,
    /// Only calls before this one.
    pub before: Option<String>,
}

impl OwnAudit<'_> {
    /// The calls of the person's agents and of their pages.
    pub async fn calls(self, query: &CallsQuery) -> Result<CallsPage> {
        let _turn = self.scoped.hub.audit().search_turn(&self.scoped.viewer.me.id).await?;
        select(self.scoped.hub.store().read(), Reader::Own(self.scoped.owner()), query).await
    }
}

/// A call of a model, where it was made.
#[derive(Clone, Copy, Debug)]
pub struct CallPlace<'a> {
    pub agent: &'a AgentId,
    pub run: &'a RunId,
    pub turn: u32,
    pub call: &'a CallId,
}

impl OwnAudit<'_> {
    /// Who decided about one call. `None`: nothing is kept of it, or the loop kept it from being asked.
    pub async fn call(self, place: CallPlace<'_>) -> Result<Option<CallLine>> {
        let CallPlace { agent, run, turn, call } = place;
        self.scoped.require_agent(agent).await?;
        let row = query(
            "SELECT c.caller, c.call_id, c.name, c.about, c.agent_name, c.started_at, c.decided_by, c.outcome,
                    c.declared, c.cost, u.name AS person
             FROM tool_calls c JOIN users u ON u.id = c.user_id
             WHERE c.run_id = $1 AND c.turn = $2 AND c.call_id = $3 AND c.agent_id = $4",
            (run, turn, call, agent),
        )
        .fetch_optional::<Row>(self.scoped.hub.store().read())
        .await?;
        row.map(|row| line(&row, Reader::Own(self.scoped.owner()))).transpose()
    }
}

impl WholeAudit<'_> {
    /// The calls of everybody's agents, or of one person's: which tool, and what became of it.
    pub async fn calls(self, person: Option<&UserId>, query: &CallsQuery) -> Result<CallsPage> {
        let _turn = self.hub.audit().search_turn(&self.viewer.me.id).await?;
        let person = person.map_or("", |person| person.0.as_str());
        select(self.hub.store().read(), Reader::Admin { person }, query).await
    }
}

#[derive(Clone, Copy)]
enum Reader<'a> {
    Own(&'a str),
    /// Empty: everybody's.
    Admin {
        person: &'a str,
    },
}

async fn select(pool: &Readers, reader: Reader<'_>, filter: &CallsQuery) -> Result<CallsPage> {
    let (person, is_own) = match reader {
        Reader::Own(own) => (own, 1_i64),
        Reader::Admin { person } => (person, 0),
    };
    let outcome = filter.outcome.as_ref().map(name_of).transpose()?.unwrap_or_default();
    let (before, before_call) = filter.before.as_deref().and_then(mark).unwrap_or((i64::MAX, ""));
    let text = filter.text.trim();
    let rows = query(
        "SELECT c.caller, c.call_id, c.name, c.about, c.agent_name, c.started_at, c.decided_by, c.outcome,
                c.declared, c.cost, u.name AS person
         FROM tool_calls c JOIN users u ON u.id = c.user_id
         WHERE ($1 = '' OR c.user_id = $1) AND ($2 = '' OR c.outcome = $2)
           AND (c.started_at < $3 OR (c.started_at = $3 AND c.call_id < $4))
           AND ($5 = '' OR (lower(c.name) LIKE $5 ESCAPE '!' AND ($6 = 1 OR c.declared = 1))
                OR ($6 = 1 AND (lower(c.agent_name) LIKE $5 ESCAPE '!'
                OR lower(c.about) LIKE $5 ESCAPE '!')))
         ORDER BY c.started_at DESC, c.call_id DESC LIMIT $7",
        (
            person,
            outcome,
            before,
            before_call,
            if text.is_empty() { String::new() } else { pattern(text) },
            is_own,
            PAGE + 1,
        ),
    )
    .fetch_all::<Row>(pool)
    .await?;
    let older = match rows.get(PAGE - 1) {
        Some(last) if rows.len() > PAGE => {
            Some(format!("{}-{}", last.get::<i64>("started_at")?, last.get::<String>("call_id")?))
        }
        Some(_) | None => None,
    };
    let lines = rows.iter().take(PAGE).map(|row| line(row, reader)).collect::<Result<_>>()?;
    Ok(CallsPage { lines, older })
}

/// A call that waited for a device when the hub stopped was not made.
fn ended(word: String) -> Result<CallOutcome> {
    if word == "not_made" { Ok(CallOutcome::Stopped) } else { named(&word).map_err(Error::internal) }
}

/// Where a page ended: the time and the call.
fn mark(text: &str) -> Option<(i64, &str)> {
    let (at, call) = text.split_once('-')?;
    Some((at.parse().ok()?, call))
}

fn line(row: &Row, reader: Reader<'_>) -> Result<CallLine> {
    let text = |column| row.get::<Option<String>>(column);
    let tool = match reader {
        // What agents call their own tools is theirs and their person's.
        Reader::Admin { .. } if row.get::<i64>("declared")? == 0 => String::new(),
        Reader::Own(_) | Reader::Admin { .. } => row.get("name")?,
    };
    let (person, agent, about, cost) = match reader {
        Reader::Own(_) => (String::new(), row.get("agent_name")?, text("about")?, row.get("cost")?),
        Reader::Admin { .. } => (row.get("person")?, String::new(), None, None),
    };
    Ok(CallLine {
        at: row.get("started_at")?,
        person,
        agent,
        caller: row.get("caller")?,
        tool,
        about,
        decided_by: row.get::<Option<_>>("decided_by")?.unwrap_or(CallDecider::Default),
        outcome: text("outcome")?.map(ended).transpose()?,
        cost,
    })
}
