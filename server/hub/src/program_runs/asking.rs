//! Saying something to an agent for a program.

use super::ProgramRuns;
use super::words::{Hearing, RunWords, Waiter};
use crate::clock::new_id;
use crate::delegations::AskedChain;
use crate::error::{Error, Result};
use crate::runs::{MessageRun, ProgramPlace};
use crate::store::query;
use protocol::{AgentId, ConversationId, RunId, TabId};

/// In which conversation something is said.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// The one that was used last.
    Current,
    /// One of this program's, which is there if the run begins.
    New,
    /// One in which this program asked something before.
    Same(&'a ConversationId),
}

/// What becomes of a run when nobody listens to it any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenGone {
    Stop,
    GoOn,
}

pub enum Asked {
    Begun(Box<AskedRun>),
    /// The agent is at work, and nothing was said.
    Busy,
}

/// A run that answers, and what it says from its beginning.
pub struct AskedRun {
    pub run: RunId,
    pub conversation: ConversationId,
    pub words: RunWords,
}

impl ProgramRuns<'_> {
    /// `message` is the id under which the program says it, if it is the same under that id when it is said again.
    pub async fn ask(
        self,
        agent: &AgentId,
        place: Place<'_>,
        text: &str,
        message: Option<&str>,
        when_gone: WhenGone,
    ) -> Result<Asked> {
        self.ask_in_chain(agent, place, text, message, when_gone, None).await
    }

    /// The same for an agent elsewhere, whose hub says in which chain it asks.
    pub async fn ask_in_chain(
        self,
        agent: &AgentId,
        place: Place<'_>,
        text: &str,
        message: Option<&str>,
        when_gone: WhenGone,
        chain: Option<AskedChain>,
    ) -> Result<Asked> {
        self.require_opened(agent)?;
        if text.trim().is_empty() {
            return Err(Error::invalid("Say something: the message is empty."));
        }
        let after = self.last_seq(agent).await?;
        let chain = match chain {
            Some(claimed) => Some(self.hub.delegations().weigh(claimed).await?),
            None => None,
        };
        let place = match place {
            Place::Current => ProgramPlace::WithOthers,
            Place::New => ProgramPlace::Anew,
            Place::Same(conversation) => {
                self.require_asked_in(agent, conversation).await?;
                ProgramPlace::Beside(conversation)
            }
        };
        let may_answer = self.speaks_for_person().await?;
        let mut tab = self.hub.open_tab(self.program.viewer.clone(), TabId(new_id()))?;
        tab.follow(agent, after).await?;
        let runs = self.person().runs();
        let Some(begun) = runs.ask_alone(agent, text, &self.program.token, message, place, chain).await?
        else {
            return Ok(Asked::Busy);
        };
        let MessageRun { seq, run, conversation } = begun;
        let waiter = Waiter::new(self.hub, agent, &run, when_gone);
        let hearing = Hearing::of(&run, may_answer);
        let words = RunWords::new(tab, waiter, hearing, seq);
        Ok(Asked::Begun(Box::new(AskedRun { run, conversation, words })))
    }

    async fn last_seq(self, agent: &AgentId) -> Result<u64> {
        let seq: i64 = query(
            "SELECT last_seq FROM agents WHERE id = $1 AND user_id = $2 AND parent_id IS NULL",
            (agent, self.person().owner()),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))?;
        u64::try_from(seq).map_err(Error::internal)
    }

    async fn require_asked_in(self, agent: &AgentId, conversation: &ConversationId) -> Result<()> {
        let is_known = query(
            "SELECT 1 FROM runs WHERE agent_id = $1 AND conversation_id = $2 AND asked_by = $3",
            (agent, conversation, &self.program.token),
        )
        .exists(self.hub.store().read())
        .await?;
        if is_known { Ok(()) } else { Err(Error::NotFound("conversation")) }
    }
}
