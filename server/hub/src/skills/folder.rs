//! The folders of skills that an agent's commands find: of those that it has read in the conversation, the version that its person
//! accepted, without letters that nobody sees and without scripts that the skill itself leaves out.

use super::load::{OFFERED, OfferedSkill};
use super::parcel::{digest, digest_of};
use super::visible::for_models;
use crate::error::{Error, Result};
use crate::skills::Skills;
use crate::store::query;
use protocol::view::SkillReport;
use protocol::{AgentId, ConversationId};
use std::collections::BTreeMap;

/// What stands in the prompt was read, and what a branch has of another one.
const READ: &str = "AND (c.chosen = 'always' OR EXISTS (
     SELECT 1 FROM loaded_skills l JOIN runs r ON r.id = l.run_id
     WHERE l.agent_id = $1 AND l.name = s.name
       AND (r.conversation_id = $2 OR r.conversation_id IN (
         SELECT g.source_id FROM conversation_segments g WHERE g.conversation_id = $2))))";

impl OfferedSkill {
    /// Where its files are for a command.
    pub(crate) fn place(&self) -> String {
        format!("/skills/{}", self.name)
    }
}

impl Skills<'_> {
    /// Those whose scripts a command of the agent can run in the conversation, by name.
    pub(crate) async fn read_in(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<Vec<OfferedSkill>> {
        let read = query([OFFERED, READ, "ORDER BY s.name"], (agent, conversation));
        read.fetch_all(self.hub.store().read()).await
    }

    /// Whether a stranger wrote one of them.
    pub(crate) async fn has_read_one_of_strangers(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<bool> {
        let read = query([OFFERED, READ, "AND v.vouched = 0"], (agent, conversation));
        read.exists(self.hub.store().read()).await
    }

    /// Its files by path. One that is not as it was accepted has none.
    pub(crate) async fn files_of(self, skill: &OfferedSkill) -> Result<BTreeMap<String, Vec<u8>>> {
        let files: Vec<(String, Vec<u8>)> =
            query("SELECT path, bytes FROM skill_files WHERE skill_id = $1 AND waiting = 0", (&skill.id,))
                .fetch_all(self.hub.store().read())
                .await?;
        let (report, accepted) = (skill.report.clone(), skill.digest.clone());
        // Two megabytes of each are much for a thread that serves others.
        let found = tokio::task::spawn_blocking(move || as_accepted(&report, &accepted, files));
        let found = found.await.map_err(Error::internal)?;
        if found.is_none() {
            tracing::warn!(skill.id = %skill.id, "a skill is not as it was accepted");
        }
        Ok(found.unwrap_or_default())
    }
}

/// `None`: they are others than those that were accepted.
fn as_accepted(
    report: &SkillReport,
    accepted: &str,
    files: Vec<(String, Vec<u8>)>,
) -> Option<BTreeMap<String, Vec<u8>>> {
    let pins = &report.files;
    let is_pinned = |(path, bytes): &(String, Vec<u8>)| {
        pins.iter().any(|pin| pin.path == *path && pin.digest == digest(bytes))
    };
    if digest_of(pins) != accepted || files.len() != pins.len() || !files.iter().all(is_pinned) {
        return None;
    }
    let as_read = |bytes: Vec<u8>| match str::from_utf8(&bytes) {
        Ok(text) => for_models(text).into_bytes(),
        Err(_) => bytes,
    };
    let found = files.into_iter().filter(|(path, _)| report.leaves_script(path));
    Some(found.map(|(path, bytes)| (path, as_read(bytes))).collect())
}
