//! What a limit stopped and nobody wants any more does not go on. The agent is idle again and says why,
//! so that it does not wait for money that nobody will give.

use super::resume;
use crate::error::Result;
use crate::log::{Appending, Place};
use crate::store::Row;
use protocol::log::{EntryBody, NoticeKind};
use protocol::{AgentId, ConversationId, ScheduleId, TokenId};
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

impl Appending {
    /// The program is gone: what it had asked for does not go on.
    pub(crate) async fn give_up_for_program(&mut self, token: &TokenId, name: &str) -> Result<()> {
        let query = sqlx::query(stopped!("r.asked_by = $1")).bind(&token.0);
        let rows = query.fetch_all(&mut *self.tx).await?;
        let why = format!("A limit had stopped what a program asked for, and its token {name} was revoked.");
        self.give_up_runs(&rows, &why).await
    }

    /// The schedule is gone, or rests: what it had begun does not go on.
    pub(crate) async fn give_up_for_schedule(&mut self, schedule: &ScheduleId, why: &str) -> Result<()> {
        let query = sqlx::query(stopped!("r.schedule_id = $1")).bind(&schedule.0);
        let rows = query.fetch_all(&mut *self.tx).await?;
        self.give_up_runs(&rows, why).await
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
