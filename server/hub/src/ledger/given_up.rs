//! What a limit stopped and nobody wants any more does not go on. The agent is idle again and says why,
//! so that it does not wait for money that nobody will give.

use super::resume;
use crate::error::Result;
use crate::log::{Appending, Place};
use crate::store::Row;
use protocol::log::{EntryBody, NoticeKind};
use protocol::{AgentId, ConversationId, RunId, ScheduleId, TokenId};
use sqlx::Row as _;

/// The statement that finds the stopped agents whose last run is such a one.
macro_rules! stopped {
    ($which:literal) => {
        concat!(
            "SELECT r.agent_id, r.conversation_id FROM stopped_agents s
             JOIN agents a ON a.id = s.agent_id JOIN runs r ON r.agent_id = s.agent_id
             WHERE a.status = 'waiting' AND r.id = (SELECT l.id FROM runs l WHERE l.agent_id = s.agent_id
                                                    ORDER BY l.started_at DESC, l.id DESC LIMIT 1) AND ",
            $which,
            " ORDER BY r.agent_id"
        )
    };
}

pub(crate) fn paused(schedule: &str) -> String {
    format!("A limit had stopped what {schedule} began, and {schedule} rests.")
}

pub(crate) fn deleted(schedule: &str) -> String {
    format!("A limit had stopped what {schedule} began, and {schedule} was deleted.")
}

fn revoked(token: &str) -> String {
    format!("A limit had stopped what a program asked for, and its token{token} was revoked.")
}

impl Appending {
    /// The program is gone: what it had asked for does not go on.
    pub(crate) async fn give_up_for_program(&mut self, token: &TokenId, name: &str) -> Result<()> {
        let query = sqlx::query(stopped!("r.asked_by = $1")).bind(&token.0);
        let rows = query.fetch_all(&mut *self.tx).await?;
        self.give_up_runs(&rows, &revoked(&format!(" {name}"))).await
    }

    /// The schedule is gone, or rests: what it had begun does not go on.
    pub(crate) async fn give_up_for_schedule(&mut self, schedule: &ScheduleId, why: &str) -> Result<()> {
        let query = sqlx::query(stopped!("r.schedule_id = $1")).bind(&schedule.0);
        let rows = query.fetch_all(&mut *self.tx).await?;
        self.give_up_runs(&rows, why).await
    }

    /// A limit stopped this run as it ended: if nobody wants it any more, it does not wait.
    pub(crate) async fn give_up_unwanted(&mut self, run: &RunId) -> Result<()> {
        let row = sqlx::query(
            "SELECT r.agent_id, r.conversation_id, r.schedule_id, s.name, s.paused, r.asked_by, t.id AS token
             FROM runs r LEFT JOIN schedules s ON s.id = r.schedule_id LEFT JOIN tokens t ON t.id = r.asked_by
             WHERE r.id = $1",
        )
        .bind(&run.0)
        .fetch_one(&mut *self.tx)
        .await?;
        let is_scheduled = row.try_get::<Option<String>, _>("schedule_id")?.is_some();
        let is_paused = row.try_get::<Option<i64>, _>("paused")?.map(|paused| paused == 1);
        let is_asked = row.try_get::<Option<String>, _>("asked_by")?.is_some();
        let has_token = row.try_get::<Option<String>, _>("token")?.is_some();
        let why = match is_paused {
            None if is_scheduled => deleted("the schedule"),
            Some(true) => paused(&row.try_get::<String, _>("name")?),
            None | Some(false) if is_asked && !has_token => revoked(""),
            None | Some(false) => return Ok(()),
        };
        self.give_up_runs(&[row], &why).await
    }

    async fn give_up_runs(&mut self, rows: &[Row], why: &str) -> Result<()> {
        for row in rows {
            let agent = AgentId(row.try_get("agent_id")?);
            let conversation = Some(ConversationId(row.try_get("conversation_id")?));
            resume::forget(&mut self.tx, &agent).await?;
            let kind = NoticeKind::GivenUp;
            let body = EntryBody::Notice { turn: 0, kind, text: why.to_owned() };
            self.append(&Place { agent, conversation, run: None }, body).await?;
        }
        Ok(())
    }
}
