//! The folders of skills that an agent's commands find: of those that it has read in the conversation, the version that its person
//! accepted, without letters that nobody sees and without scripts that the skill itself leaves out.

use super::load::{OFFERED, OfferedSkill};
use super::parcel::{digest, digest_of};
use super::verified::Files;
use super::visible::for_models;
use crate::error::{Error, Result};
use crate::skills::Skills;
use crate::store::query;
use protocol::view::PinnedFile;
use protocol::{AgentId, ConversationId, UserId};
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

    /// Its files by path, for the person whose it is. One that is not as it was accepted has none.
    pub(crate) async fn files_of(
        self,
        person: &UserId,
        skill: &OfferedSkill,
    ) -> Result<BTreeMap<String, Vec<u8>>> {
        let Some(files) = self.verified(person, skill).await? else {
            tracing::warn!(skill.id = %skill.id, "a skill is not as it was accepted");
            return Ok(BTreeMap::new());
        };
        let found = files.iter().filter(|(path, _)| skill.report.leaves_script(path));
        Ok(found.map(|(path, bytes)| (path.clone(), bytes.clone())).collect())
    }

    /// `None`: they are others than those that were accepted.
    async fn verified(self, person: &UserId, skill: &OfferedSkill) -> Result<Option<Files>> {
        let pins = &skill.report.files;
        if digest_of(pins) != skill.digest {
            return Ok(None);
        }
        let verified = &self.hub.0.skills.verified;
        if let Some(files) = verified.find(person, &skill.digest) {
            return Ok(Some(files));
        }
        let files: Vec<(String, Vec<u8>)> =
            query("SELECT path, bytes FROM skill_files WHERE skill_id = $1 AND waiting = 0", (&skill.id,))
                .fetch_all(self.hub.store().read())
                .await?;
        let pins = pins.clone();
        // Two megabytes of each are much for a thread that serves others.
        let found = tokio::task::spawn_blocking(move || as_accepted(&pins, files));
        let found = found.await.map_err(Error::internal)?.map(Files::new);
        if let Some(files) = &found {
            verified.keep(person, &skill.digest, files);
        }
        Ok(found)
    }
}

/// As commands find them. `None`: they are others than those that were accepted.
fn as_accepted(pins: &[PinnedFile], files: Vec<(String, Vec<u8>)>) -> Option<BTreeMap<String, Vec<u8>>> {
    let is_pinned = |(path, bytes): &(String, Vec<u8>)| {
        pins.iter().any(|pin| pin.path == *path && pin.digest == digest(bytes))
    };
    if files.len() != pins.len() || !files.iter().all(is_pinned) {
        return None;
    }
    let as_read = |bytes: Vec<u8>| match str::from_utf8(&bytes) {
        Ok(text) => for_models(text).into_bytes(),
        Err(_) => bytes,
    };
    Some(files.into_iter().map(|(path, bytes)| (path, as_read(bytes))).collect())
}
