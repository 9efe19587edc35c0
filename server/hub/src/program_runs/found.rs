//! Runs that a program asked for before: how they are, and their end before its time.

use super::words::{Hearing, RunEnd, RunWord, RunWords, Waiter};
use super::{ProgramRuns, WhenGone};
use crate::Hub;
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
    /// It asks this, and the program may answer.
    Asks(String),
    Over(RunEnd),
}

/// Which runs are listed and counted. What is not said is any.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunsWanted<'a> {
    pub conversation: Option<&'a ConversationId>,
    pub state: Option<ListedState>,
    /// Those that came to be as they are at this time or later, in Unix milliseconds.
    pub since: Option<i64>,
}

/// How a run stands, without what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedState {
    /// It works, or waits for its person.
    Works,
    /// It asks something that the program may answer.
    Asks,
    Completed,
    Stopped,
    Failed,
}

impl ListedState {
    fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Asks => "asks",
            Self::Completed => "completed",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }
}

pub(super) struct Header {
    run: RunId,
    agent: AgentId,
    conversation: ConversationId,
    began_after: i64,
    at: i64,
    chain: Option<RunId>,
}

impl Header {
    /// Whether the program began it, and not what it began before.
    pub(super) fn is_its_own(&self) -> bool {
        self.chain.is_none()
    }
}

const COLUMNS: &str = "SELECT r.id, r.agent_id, r.conversation_id, r.began_after, r.chain,
    COALESCE(r.finished_at, r.started_at) AS at
    FROM runs r JOIN agents a ON a.id = r.agent_id";
const COUNT: &str = "SELECT COUNT(*) FROM runs r JOIN agents a ON a.id = r.agent_id";
/// Those of this agent, person and program that are wanted. `$7`: the program may answer.
const WANTED: &str = "WHERE r.agent_id = $1 AND a.user_id = $2 AND r.asked_by = $3
    AND r.conversation_id = COALESCE($4, r.conversation_id)
    AND COALESCE(r.finished_at, r.started_at) >= CAST($5 AS BIGINT)
    AND (CAST($6 AS TEXT) IS NULL OR $6 = CASE
         WHEN r.running = 0 THEN COALESCE(r.outcome, 'failed')
         WHEN CAST($7 AS BIGINT) = 1 AND r.chain IS NULL AND EXISTS (
             SELECT 1 FROM approvals p WHERE p.run_id = r.id AND p.settled_at IS NULL AND p.in_words = 1)
         THEN 'asks' ELSE 'works' END)";

impl ProgramRuns<'_> {
    /// One that this program asked of this agent.
    pub async fn find(self, agent: &AgentId, run: &RunId) -> Result<ProgramRun> {
        let header = self.header(agent, run).await?;
        read(self.hub, header, self.speaks_for_person().await?).await
    }

    /// The one that this program asked of this agent under this id.
    pub async fn find_asked_as(self, agent: &AgentId, message: &str) -> Result<Option<ProgramRun>> {
        self.require_opened(agent)?;
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
    /// are before this one.
    pub async fn list(
        self,
        agent: &AgentId,
        wanted: RunsWanted<'_>,
        before: Option<(i64, &RunId)>,
        most: usize,
    ) -> Result<Vec<ProgramRun>> {
        self.require_opened(agent)?;
        let may_answer = self.speaks_for_person().await?;
        let (at, id) = before.map_or((i64::MAX, ""), |(at, run)| (at, run.0.as_str()));
        let headers: Vec<Header> = query(
            [
                COLUMNS,
                WANTED,
                "AND (COALESCE(r.finished_at, r.started_at) < $8
                      OR (COALESCE(r.finished_at, r.started_at) = $8 AND r.id < $9))
                 ORDER BY COALESCE(r.finished_at, r.started_at) DESC, r.id DESC LIMIT $10",
            ],
            (
                agent,
                self.person().owner(),
                &self.program.token,
                wanted.conversation,
                wanted.since.unwrap_or(i64::MIN),
                wanted.state.map(ListedState::name),
                may_answer,
                at,
                id,
                i64::try_from(most).unwrap_or(i64::MAX),
            ),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut runs = Vec::new();
        for header in headers {
            runs.push(read(self.hub, header, may_answer).await?);
        }
        Ok(runs)
    }

    /// How many of those it asked of this agent.
    pub async fn count(self, agent: &AgentId, wanted: RunsWanted<'_>) -> Result<u64> {
        self.require_opened(agent)?;
        let count: i64 = query(
            [COUNT, WANTED],
            (
                agent,
                self.person().owner(),
                &self.program.token,
                wanted.conversation,
                wanted.since.unwrap_or(i64::MIN),
                wanted.state.map(ListedState::name),
                self.speaks_for_person().await?,
            ),
        )
        .fetch_one(self.hub.store().read())
        .await?;
        u64::try_from(count).map_err(Error::internal)
    }

    /// What it says from its beginning, and for what it waits now, if it does. It goes on when nobody listens any more.
    pub async fn listen(self, agent: &AgentId, run: &RunId) -> Result<RunWords> {
        let header = self.header(agent, run).await?;
        self.hear(header, |word| matches!(word, RunWord::Said(_) | RunWord::Over(_))).await
    }

    /// What it says from now on.
    pub(super) async fn hear_on(self, header: Header) -> Result<RunWords> {
        self.hear(header, |word| matches!(word, RunWord::Over(_))).await
    }

    /// `is_told`: of what was heard before.
    async fn hear(self, header: Header, is_told: impl Fn(&RunWord) -> bool) -> Result<RunWords> {
        let may_answer = self.speaks_for_person().await?;
        let Heard { hearing, mut words, after } = heard(self.hub, &header, may_answer).await?;
        words.retain(is_told);
        if !matches!(words.back(), Some(RunWord::Over(_))) {
            words.extend(hearing.waits());
        }
        let mut tab = self.hub.open_tab(self.program.viewer.clone(), TabId(new_id()))?;
        tab.follow(&header.agent, after).await?;
        let waiter = Waiter::new(self.hub, &header.agent, &header.run, WhenGone::GoOn);
        Ok(RunWords::behind(tab, waiter, hearing, after, words))
    }

    /// Ends it, if it still goes on.
    pub async fn stop(self, agent: &AgentId, run: &RunId) -> Result<()> {
        self.header(agent, run).await?;
        self.hub.runs().stop_only(agent, run).await
    }

    pub(super) async fn header(self, agent: &AgentId, run: &RunId) -> Result<Header> {
        self.require_opened(agent)?;
        query(
            [COLUMNS, "WHERE r.id = $1 AND r.agent_id = $2 AND a.user_id = $3 AND r.asked_by = $4"],
            (run, agent, self.person().owner(), &self.program.token),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("task"))
    }
}

/// One by whomever it was asked for. `None`: it is not there any more.
pub(super) async fn header_of(hub: &Hub, run: &RunId) -> Result<Option<Header>> {
    query([COLUMNS, "WHERE r.id = $1"], (run,)).fetch_optional(hub.store().read()).await
}

/// How it stands. `may_answer`: the program that asked for it speaks for its person.
pub(super) async fn read(hub: &Hub, header: Header, may_answer: bool) -> Result<ProgramRun> {
    let Heard { hearing, mut words, .. } = heard(hub, &header, may_answer).await?;
    let state = match words.pop_back() {
        Some(RunWord::Over(end)) => RunState::Over(end),
        _ => match hearing.waits() {
            Some(RunWord::Asks(question)) => RunState::Asks(question),
            Some(_) => RunState::Waits,
            None => RunState::Works,
        },
    };
    let Header { run, agent, conversation, at, .. } = header;
    Ok(ProgramRun { run, agent, conversation, at, state })
}

async fn heard(hub: &Hub, header: &Header, may_answer: bool) -> Result<Heard> {
    let mut heard = Heard {
        hearing: Hearing::of(&header.run, may_answer && header.is_its_own()),
        words: VecDeque::new(),
        after: u64::try_from(header.began_after).map_err(Error::internal)?,
    };
    for entry in run_texts(hub.store(), &header.run).await? {
        heard.after = entry.seq;
        heard.hearing.read(entry, &mut heard.words);
    }
    Ok(heard)
}

/// What a run said so far.
struct Heard {
    hearing: Hearing,
    words: VecDeque<RunWord>,
    /// The last entry of it.
    after: u64,
}

impl FromRow for Header {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            run: row.get("id")?,
            agent: row.get("agent_id")?,
            conversation: row.get("conversation_id")?,
            began_after: row.get("began_after")?,
            at: row.get("at")?,
            chain: row.get("chain")?,
        })
    }
}
