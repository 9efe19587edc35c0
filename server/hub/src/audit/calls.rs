//! Looking calls of tools up: people those of their agents, administrators those of everybody, without what
//! they were about.

use super::read::pattern;
use super::{parse, word};
use crate::access::{Admin, Scoped};
use crate::error::{Error, Result};
use crate::store::Row;
use protocol::UserId;
use protocol::view::{CallLine, CallOutcome, CallsPage};
use sqlx::{AnyPool, Row as _};

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

impl Scoped<'_> {
    /// The calls of the person's agents and of their pages.
    pub async fn calls(&self, query: &CallsQuery) -> Result<CallsPage> {
        select(self.hub.store.read(), Reader::Own(self.owner()), query).await
    }
}

impl Admin<'_> {
    /// The calls of everybody's agents, or of one person's: which tool, and what became of it.
    pub async fn calls(&self, person: Option<&UserId>, query: &CallsQuery) -> Result<CallsPage> {
        let person = person.map_or("", |person| person.0.as_str());
        select(self.hub.store.read(), Reader::Admin { person }, query).await
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

async fn select(pool: &AnyPool, reader: Reader<'_>, query: &CallsQuery) -> Result<CallsPage> {
    let (person, is_own) = match reader {
        Reader::Own(own) => (own, 1_i64),
        Reader::Admin { person } => (person, 0),
    };
    let outcome = query.outcome.map(word).transpose()?.unwrap_or_default();
    let (before, before_call) = query.before.as_deref().and_then(mark).unwrap_or((i64::MAX, ""));
    let text = query.text.trim();
    let rows = sqlx::query(
        "SELECT c.caller, c.call_id, c.name, c.about, c.agent_name, c.started_at, c.decided_by, c.outcome,
                c.declared, u.name AS person
         FROM tool_calls c JOIN users u ON u.id = c.user_id
         WHERE ($1 = '' OR c.user_id = $1) AND ($2 = '' OR c.outcome = $2)
           AND (c.started_at < $3 OR (c.started_at = $3 AND c.call_id < $4))
           AND ($5 = '' OR (lower(c.name) LIKE $5 ESCAPE '!' AND ($6 = 1 OR c.declared = 1))
                OR ($6 = 1 AND (lower(c.agent_name) LIKE $5 ESCAPE '!' OR lower(c.about) LIKE $5 ESCAPE '!')))
         ORDER BY c.started_at DESC, c.call_id DESC LIMIT $7",
    )
    .bind(person)
    .bind(outcome)
    .bind(before)
    .bind(before_call)
    .bind(if text.is_empty() { String::new() } else { pattern(text) })
    .bind(is_own)
    .bind(i64::try_from(PAGE + 1).map_err(Error::internal)?)
    .fetch_all(pool)
    .await?;
    let older = match rows.get(PAGE - 1) {
        Some(last) if rows.len() > PAGE => Some(format!(
            "{}-{}",
            last.try_get::<i64, _>("started_at")?,
            last.try_get::<String, _>("call_id")?
        )),
        Some(_) | None => None,
    };
    let lines = rows.iter().take(PAGE).map(|row| line(row, reader)).collect::<Result<_>>()?;
    Ok(CallsPage { lines, older })
}

/// A call that waited for a device when the hub stopped was not made.
fn ended(word: String) -> Result<CallOutcome> {
    if word == "not_made" { Ok(CallOutcome::Stopped) } else { parse(word) }
}

/// Where a page ended: the time and the call.
fn mark(text: &str) -> Option<(i64, &str)> {
    let (at, call) = text.split_once('-')?;
    Some((at.parse().ok()?, call))
}

fn line(row: &Row, reader: Reader<'_>) -> Result<CallLine> {
    let text = |column| row.try_get::<Option<String>, _>(column);
    let tool = match reader {
        // What agents call their own tools is theirs and their person's.
        Reader::Admin { .. } if row.try_get::<i64, _>("declared")? == 0 => String::new(),
        Reader::Own(_) | Reader::Admin { .. } => row.try_get("name")?,
    };
    let (person, agent, about) = match reader {
        Reader::Own(_) => (String::new(), row.try_get("agent_name")?, text("about")?),
        Reader::Admin { .. } => (row.try_get("person")?, String::new(), None),
    };
    Ok(CallLine {
        at: row.try_get("started_at")?,
        person,
        agent,
        caller: parse(row.try_get("caller")?)?,
        tool,
        about,
        decided_by: text("decided_by")?.map_or_else(|| parse("default".to_owned()), parse)?,
        outcome: text("outcome")?.map(ended).transpose()?,
    })
}
