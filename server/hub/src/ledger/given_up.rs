//! What a limit stopped and nobody wants any more does not go on. The agent is idle again and says why,
//! so that it does not wait for money that nobody will give.

use super::resume;
use crate::error::Result;
use crate::log::{Appending, EntryScope};
use crate::store::{Row, query};
use protocol::log::{EntryBody, NoticeKind};
use protocol::{AgentId, RunId, ScheduleId, TokenId};
use protocol::{told, words};

/// The last runs of stopped agents.
const STOPPED: &str =
    "SELECT r.agent_id, r.conversation_id FROM stopped_agents s
     JOIN agents a ON a.id = s.agent_id JOIN runs r ON r.agent_id = s.agent_id
     WHERE a.status = 'waiting' AND r.id = (SELECT l.id FROM runs l WHERE l.agent_id = s.agent_id
                                            ORDER BY l.began_after DESC, l.started_at DESC, l.id DESC LIMIT 1)";

pub(crate) fn paused(schedule: &str) -> String {
    told!("A limit had stopped what {schedule} began, and {schedule} rests.")
}

pub(crate) fn deleted(schedule: &str) -> String {
    told!("A limit had stopped what {schedule} began, and {schedule} was deleted.")
}

fn revoked(token: &str) -> String {
    told!("A limit had stopped what a program asked for, and its token {token} was revoked.")
}

/// The same of a token whose name nobody knows any more.
const REVOKED: &str = words!("A limit had stopped what a program asked for, and its token was revoked.");

/// What an agent of somebody else asked ended with the run, and it hears nothing of one that goes on.
const UNHEARD: &str =
    words!("A limit had stopped what somebody else's agent asked for, and nobody waits for it any more.");

/// A pipeline is continued from its page, which begins the task anew.
const OF_PIPELINE: &str =
    words!("The budget of its pipeline is used up. The pipeline goes on from its page.");

impl Appending {
    /// The program is gone: what it had asked for does not go on.
    pub(crate) async fn give_up_for_program(&mut self, token: &TokenId, name: &str) -> Result<()> {
        let query = query([STOPPED, "AND r.asked_by = $1 ORDER BY r.agent_id"], (token,));
        let rows = query.fetch_all(&mut *self.tx).await?;
        self.give_up_runs(&rows, &revoked(name)).await
    }

    /// The schedule is gone, or rests: what it had begun does not go on.
    pub(crate) async fn give_up_for_schedule(&mut self, schedule: &ScheduleId, why: &str) -> Result<()> {
        let query = query([STOPPED, "AND r.schedule_id = $1 ORDER BY r.agent_id"], (schedule,));
        let rows = query.fetch_all::<Row>(&mut *self.tx).await?;
        self.give_up_runs(&rows, why).await
    }

    /// A limit stopped this run as it ended: if nobody wants it any more, it does not wait.
    pub(crate) async fn give_up_unwanted(&mut self, run: &RunId) -> Result<()> {
        let row = query(
            "SELECT r.agent_id, r.conversation_id, r.schedule_id, s.name, s.paused, r.asked_by, t.id AS token,
                    (SELECT o.delegation_id FROM delegations d JOIN shared_tasks o ON o.delegation_id = d.id
                     WHERE d.run_id = r.id AND d.state NOT IN ('queued', 'running')) AS unheard,
                    (SELECT w.owner FROM stopped_agents w
                     WHERE w.agent_id = r.agent_id AND w.scope = 'pipeline') AS pipeline
             FROM runs r LEFT JOIN schedules s ON s.id = r.schedule_id
             LEFT JOIN tokens t ON t.id = r.asked_by
             WHERE r.id = $1",
            (run,),
        )
        .fetch_one::<Row>(&mut *self.tx)
        .await?;
        let is_scheduled = row.get::<Option<String>>("schedule_id")?.is_some();
        let is_paused = row.get::<Option<i64>>("paused")?.map(|paused| paused == 1);
        let is_asked = row.get::<Option<String>>("asked_by")?.is_some();
        let has_token = row.get::<Option<String>>("token")?.is_some();
        let is_unheard = row.get::<Option<String>>("unheard")?.is_some();
        let is_of_pipeline = row.get::<Option<String>>("pipeline")?.is_some();
        let why = match is_paused {
            None if is_scheduled => deleted(words!("the schedule")),
            Some(true) => paused(&row.get::<String>("name")?),
            None | Some(false) if is_asked && !has_token => REVOKED.to_owned(),
            None | Some(false) if is_unheard => UNHEARD.to_owned(),
            None | Some(false) if is_of_pipeline => OF_PIPELINE.to_owned(),
            None | Some(false) => return Ok(()),
        };
        self.give_up_runs(&[row], &why).await
    }

    async fn give_up_runs(&mut self, rows: &[Row], why: &str) -> Result<()> {
        for row in rows {
            let agent: AgentId = row.get("agent_id")?;
            let conversation = Some(row.get("conversation_id")?);
            resume::forget(&mut self.tx, &agent).await?;
            let kind = NoticeKind::GivenUp;
            let body = EntryBody::Notice { turn: 0, kind, text: why.to_owned() };
            self.append(&EntryScope { agent, conversation, run: None }, body).await?;
        }
        Ok(())
    }
}
