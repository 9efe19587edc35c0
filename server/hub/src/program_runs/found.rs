//! Runs that a program asked for before: how they are, and their end before its time.

use super::words::{Hearing, RunEnd, RunWord, RunWords, Waiter};
use super::{ProgramRuns, WhenGone};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::log::run_texts;
use crate::store::{FromRow, Row, query};
use protocol::{AgentId, ConversationId, RunId, TabId};
use std::collections::VecDeque;

/// A run, as far as it is written.
#[derive(Clone, Debug)]
pub struct ProgramRun {
    pub run: RunId,
    pub agent: AgentId,
    pub conversation: ConversationId,
    /// When it came to be so, in Unix milliseconds.
    pub at: i64,
    pub state: RunState,
}

#[derive(Clone, Debug)]
pub enum RunState {
    Works,
    /// Its person has to answer something.
    Waits,
    Over(RunEnd),
}

struct Header {
    run: RunId,
    agent: AgentId,
    conversation: ConversationId,
    began_after: i64,
    at: i64,
}

const COLUMNS: &str = "SELECT r.id, r.agent_id, r.conversation_id, r.began_after,
    COALESCE(r.finished_at, r.started_at) AS at
    FROM runs r JOIN agents a ON a.id = r.agent_id";

impl ProgramRuns<'_> {
    /// One that this program asked of this agent.
    pub async fn find(self, agent: &AgentId, run: &RunId) -> Result<ProgramRun> {
        let header = self.header(agent, run).await?;
        self.read(header).await
    }

    /// The one that this program asked of this agent under this id.
    pub async fn find_asked_as(self, agent: &AgentId, message: &str) -> Result<Option<ProgramRun>> {
        self.require()?;
        let found: Option<RunId> = query(
            "SELECT id FROM runs WHERE asked_by = $1 AND agent_id = $2 AND asked_as = $3",
            (&self.program.token, agent, message),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        match found {
            Some(run) => Ok(Some(self.find(agent, &run).await?)),
            None => Ok(None),
        }
    }

    /// Those that this program asked of this agent, the newest first: so many of those that came to be as they
    /// are before this one. `conversation`: in this one alone.
    pub async fn list(
        self,
        agent: &AgentId,
        conversation: Option<&ConversationId>,
        before: Option<(i64, &RunId)>,
        most: usize,
    ) -> Result<Vec<ProgramRun>> {
        self.require()?;
        let (at, id) = before.map_or((i64::MAX, ""), |(at, run)| (at, run.0.as_str()));
        let headers: Vec<Header> = query(
            [
                COLUMNS,
                "WHERE r.agent_id = $1 AND a.user_id = $2 AND r.asked_by = $3
                 AND r.conversation_id = COALESCE($4, r.conversation_id)
                 AND (COALESCE(r.finished_at, r.started_at) < $5
                      OR (COALESCE(r.finished_at, r.started_at) = $5 AND r.id < $6))
                 ORDER BY COALESCE(r.finished_at, r.started_at) DESC, r.id DESC LIMIT $7",
            ],
            (
                agent,
                self.person().owner(),
                &self.program.token,
                conversation,
                at,
                id,
                i64::try_from(most).unwrap_or(i64::MAX),
            ),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut runs = Vec::new();
        for header in headers {
            runs.push(self.read(header).await?);
        }
        Ok(runs)
    }

    /// How many it asked of this agent, in this conversation or in all.
    pub async fn count(self, agent: &AgentId, conversation: Option<&ConversationId>) -> Result<u64> {
        self.require()?;
        let count: i64 = query(
            "SELECT COUNT(*) FROM runs r JOIN agents a ON a.id = r.agent_id
             WHERE r.agent_id = $1 AND a.user_id = $2 AND r.asked_by = $3
               AND r.conversation_id = COALESCE($4, r.conversation_id)",
            (agent, self.person().owner(), &self.program.token, conversation),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        u64::try_from(count).map_err(Error::internal)
    }

    /// What it says from its beginning. It goes on when nobody listens any more.
    pub async fn listen(self, agent: &AgentId, run: &RunId) -> Result<RunWords> {
        let header = self.header(agent, run).await?;
        let after = u64::try_from(header.began_after).map_err(Error::internal)?;
        let mut tab = self.hub.open_tab(self.program.viewer.clone(), TabId(new_id()))?;
        tab.follow(agent, after).await?;
        let waiter = Waiter::new(self.hub, agent, run, WhenGone::GoOn);
        Ok(RunWords::new(tab, waiter, after))
    }

    /// Ends it, if it still goes on.
    pub async fn stop(self, agent: &AgentId, run: &RunId) -> Result<()> {
        self.header(agent, run).await?;
        self.hub.runs().stop_only(agent, run).await
    }

    async fn header(self, agent: &AgentId, run: &RunId) -> Result<Header> {
        self.require()?;
        query(
            [COLUMNS, "WHERE r.id = $1 AND r.agent_id = $2 AND a.user_id = $3 AND r.asked_by = $4"],
            (run, agent, self.person().owner(), &self.program.token),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("task"))
    }

    async fn read(self, header: Header) -> Result<ProgramRun> {
        let Header { run, agent, conversation, began_after: _, at } = header;
        let mut hearing = Hearing::of(&run);
        let mut words = VecDeque::new();
        for entry in run_texts(self.hub.store(), &run).await? {
            hearing.read(entry, &mut words);
        }
        let state = match words.pop_back() {
            Some(RunWord::Over(end)) => RunState::Over(end),
            _ if hearing.waits() => RunState::Waits,
            _ => RunState::Works,
        };
        Ok(ProgramRun { run, agent, conversation, at, state })
    }
}

impl FromRow for Header {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            run: row.get("id")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            began_after: row.get("began_after")?,
            at: row.get("at")?,
        })
    }
}
