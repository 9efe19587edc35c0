//! What a program says to what its agent asks. A leave to make a call it cannot give, and where it passes on the words
//! of others it answers nothing.

use super::ProgramRuns;
use super::found::ProgramRun;
use super::words::RunWords;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::log::Sender;
use protocol::{AgentId, RunId};

impl ProgramRuns<'_> {
    /// Answers what this run asks, and hears what it says from there on. `message` is the id under which the program
    /// does. `None`: it asks nothing that a program answers.
    pub async fn answer(
        self,
        agent: &AgentId,
        run: &RunId,
        words: &str,
        message: Option<&str>,
    ) -> Result<Option<RunWords>> {
        let header = self.header(agent, run).await?;
        if !header.is_its_own() || !self.speaks_for_person().await? {
            return Ok(None);
        }
        if words.trim().is_empty() {
            return Err(Error::invalid("Say something: the message is empty."));
        }
        if !self.person().approvals().answer_in_words(run, words, message).await? {
            return Ok(None);
        }
        self.hear_on(header).await.map(Some)
    }

    /// The run of this agent's in which this program answered something under this id.
    pub async fn find_answered_as(self, agent: &AgentId, message: &str) -> Result<Option<ProgramRun>> {
        self.require_opened(agent)?;
        let found: Option<RunId> = query(
            "SELECT r.id FROM approvals p JOIN runs r ON r.id = p.run_id
             WHERE p.agent_id = $2 AND p.answered_as = $3 AND r.asked_by = $1 LIMIT 1",
            (&self.program.token, agent, message),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        match found {
            Some(run) => Ok(Some(self.find(agent, &run).await?)),
            None => Ok(None),
        }
    }

    /// Whether what it says counts as its person's.
    pub(super) async fn speaks_for_person(self) -> Result<bool> {
        let sender = self.hub.accounts().sender(&self.program.viewer).await?;
        Ok(!matches!(sender, Sender::Program { relays: true, .. }))
    }
}
