//! Schedules as rows.

use super::due::Times;
use crate::error::{Error, Result};
use crate::log::EntryScope;
use crate::store::{Connection, FromRow, Json, Row, query};
use protocol::agent::Home;
use protocol::schedule::{Author, FiringRules, LookState, Missed, Timing};
use protocol::view::Status;
use protocol::{AgentId, ScheduleId};

/// A schedule with what it takes to let it run.
pub(super) struct ScheduleRow {
    pub(super) id: ScheduleId,
    pub(super) place: EntryScope,
    pub(super) name: String,
    pub(super) message: String,
    pub(super) timing: Timing,
    pub(super) times: Times,
    pub(super) missed: Missed,
    pub(super) rules: FiringRules,
    pub(super) paused: bool,
    pub(super) broken: Option<String>,
    pub(super) forgiven_at: i64,
    pub(super) secret_made_at: Option<i64>,
    pub(super) mailbox: Option<LookState>,
    pub(super) feed: Option<LookState>,
    pub(super) after: Option<String>,
    pub(super) by: Author,
    pub(super) next_at: Option<i64>,
    pub(super) seen_at: i64,
    /// Whether the agent lives in a browser.
    pub(super) in_browser: bool,
    /// Whether the agent waits for its person.
    pub(super) agent_waits: bool,
}

/// What [`Known`] is read from, up to its condition.
pub(super) const SCHEDULES: &str =
    "SELECT s.id, s.agent_id, s.name, s.message, s.timing, s.counted_from, s.missed, s.rules, s.paused,
            s.broken, s.forgiven_at,
            (SELECT w.made_at FROM webhooks w WHERE w.schedule_id = s.id) AS secret_made_at,
            m.schedule_id AS mailbox, m.checked_at, m.problem, d.schedule_id AS feed,
            d.checked_at AS feed_checked_at, d.problem AS feed_problem, s.made_by, s.next_at, s.seen_at, a.home,
            a.status,
            (SELECT o.name FROM finish_triggers t JOIN agents o ON o.id = t.agent_id WHERE t.schedule_id = s.id)
                AS after_agent,
            (SELECT c.id FROM conversations c
             WHERE c.agent_id = a.id AND c.temporary = 0 AND c.archived_at IS NULL AND c.deleted_at IS NULL
             ORDER BY c.place DESC, c.id DESC LIMIT 1)
                AS conversation_id
     FROM schedules s JOIN agents a ON a.id = s.agent_id JOIN users u ON u.id = a.user_id
     LEFT JOIN mailboxes m ON m.schedule_id = s.id LEFT JOIN feeds d ON d.schedule_id = s.id WHERE";

impl FromRow for ScheduleRow {
    fn from_row(row: &Row) -> Result<Self> {
        let timing: Timing = row.get::<Json<_>>("timing")?.0;
        let times = Times::of(&timing, row.get("counted_from")?).map_err(Error::internal)?;
        let (id, rules): (ScheduleId, FiringRules) = (row.get("id")?, row.get::<Json<_>>("rules")?.0);
        let mailbox = match row.get::<Option<String>>("mailbox")? {
            Some(_) => Some(LookState { checked_at: row.get("checked_at")?, problem: row.get("problem")? }),
            None => None,
        };
        let feed = match row.get::<Option<String>>("feed")? {
            Some(_) => {
                Some(LookState { checked_at: row.get("feed_checked_at")?, problem: row.get("feed_problem")? })
            }
            None => None,
        };
        Ok(Self {
            times: times.put_off(&id, rules.jitter_s),
            id,
            place: EntryScope {
                agent: row.get("agent_id")?,
                conversation: Some(row.get("conversation_id")?),
                run: None,
            },
            name: row.get("name")?,
            message: row.get("message")?,
            timing,
            missed: row.get("missed")?,
            rules,
            paused: row.get("paused")?,
            broken: row.get("broken")?,
            forgiven_at: row.get("forgiven_at")?,
            secret_made_at: row.get("secret_made_at")?,
            mailbox,
            feed,
            after: row.get("after_agent")?,
            by: row.get("made_by")?,
            next_at: row.get("next_at")?,
            seen_at: row.get("seen_at")?,
            in_browser: row.get::<Home>("home")? == Home::Browser,
            agent_waits: row.get::<Status>("status")? == Status::Waiting,
        })
    }
}

pub(super) async fn count(connection: &mut Connection, agent: &AgentId) -> Result<i64> {
    query("SELECT COUNT(*) FROM schedules WHERE agent_id = $1", (agent,)).fetch_one(connection).await
}

/// Whether a run is under way that it began.
pub(super) async fn has_begun(connection: &mut Connection, schedule: &ScheduleId) -> Result<bool> {
    query("SELECT 1 FROM runs WHERE schedule_id = $1 AND running = 1", (schedule,)).exists(connection).await
}
