//! Schedules as rows.

use super::due::Times;
use crate::error::{Error, Result};
use crate::log::Place;
use crate::store::Row;
use protocol::schedule::{Author, Missed, Timing};
use protocol::{AgentId, ConversationId, ScheduleId};
use sqlx::{AnyConnection, Row as _};

/// A schedule with what it takes to let it run.
pub(super) struct Known {
    pub(super) id: ScheduleId,
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) message: String,
    pub(super) timing: Timing,
    pub(super) times: Times,
    pub(super) missed: Missed,
    pub(super) paused: bool,
    pub(super) by: Author,
    pub(super) next_at: Option<i64>,
    pub(super) seen_at: i64,
    /// Whether the agent lives in a browser.
    pub(super) in_browser: bool,
    /// Whether the agent waits for its person.
    pub(super) agent_waits: bool,
}

/// The statement that [`known`] reads.
macro_rules! select {
    ($which:literal) => {
        concat!(
            "SELECT s.id, s.agent_id, s.name, s.message, s.timing, s.counted_from, s.missed, s.paused, s.made_by,
                    s.next_at, s.seen_at, a.home, a.status,
                    (SELECT c.id FROM conversations c WHERE c.agent_id = a.id ORDER BY c.created_at DESC LIMIT 1)
                        AS conversation_id
             FROM schedules s JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id WHERE ",
            $which
        )
    };
}
pub(super) use select;

pub(super) fn known(row: &Row) -> Result<Known> {
    let timing: Timing = serde_json::from_str(&row.try_get::<String, _>("timing")?)?;
    let times = Times::of(&timing, row.try_get("counted_from")?).map_err(Error::internal)?;
    Ok(Known {
        id: ScheduleId(row.try_get("id")?),
        place: Place {
            agent: AgentId(row.try_get("agent_id")?),
            conversation: Some(ConversationId(row.try_get("conversation_id")?)),
            run: None,
        },
        name: row.try_get("name")?,
        message: row.try_get("message")?,
        timing,
        times,
        missed: match row.try_get::<String, _>("missed")?.as_str() {
            "skip" => Missed::Skip,
            _ => Missed::CatchUp,
        },
        paused: row.try_get::<i64, _>("paused")? == 1,
        by: match row.try_get::<String, _>("made_by")?.as_str() {
            "agent" => Author::Agent,
            _ => Author::Person,
        },
        next_at: row.try_get("next_at")?,
        seen_at: row.try_get("seen_at")?,
        in_browser: row.try_get::<String, _>("home")? == "browser",
        agent_waits: row.try_get::<String, _>("status")? == "waiting",
    })
}

pub(super) async fn count(connection: &mut AnyConnection, agent: &AgentId) -> Result<i64> {
    let query = sqlx::query("SELECT COUNT(*) FROM schedules WHERE agent_id = $1");
    Ok(query.bind(&agent.0).fetch_one(connection).await?.try_get(0)?)
}

/// Whether a run is under way that it began.
pub(super) async fn has_begun(connection: &mut AnyConnection, schedule: &ScheduleId) -> Result<bool> {
    let query = sqlx::query("SELECT 1 FROM runs WHERE schedule_id = $1 AND running = 1");
    Ok(query.bind(&schedule.0).fetch_optional(connection).await?.is_some())
}

pub(super) fn missed_text(missed: Missed) -> &'static str {
    match missed {
        Missed::CatchUp => "catch_up",
        Missed::Skip => "skip",
    }
}

pub(super) fn author_text(by: Author) -> &'static str {
    match by {
        Author::Person => "person",
        Author::Agent => "agent",
    }
}
