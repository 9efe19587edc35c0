//! The folders of skills that an agent's commands find: of those that it has read, the version that its person
//! accepted, without letters that nobody sees and without scripts that the skill itself leaves out.

use super::load::{OFFERED, OfferedSkill};
use super::parcel::{digest, digest_of};
use super::visible::for_models;
use crate::error::Result;
use crate::skills::Skills;
use crate::store::query;
use protocol::AgentId;
use std::collections::BTreeMap;

/// What stands in the prompt was read.
const READ: &str = "AND (c.chosen = 'always' OR EXISTS (
     SELECT 1 FROM loaded_skills l WHERE l.agent_id = $1 AND l.name = s.name))";

impl OfferedSkill {
    /// Where its files are for a command.
    pub(crate) fn place(&self) -> String {
        format!("/skills/{}", self.name)
    }
}

impl Skills<'_> {
    /// Those whose scripts a command of the agent can run, by name.
    pub(crate) async fn read_by(self, agent: &AgentId) -> Result<Vec<OfferedSkill>> {
        query([OFFERED, READ, "ORDER BY s.name"], (agent,)).fetch_all(self.hub.store().read()).await
    }

    /// Whether a stranger wrote one of them.
    pub(crate) async fn has_read_one_of_strangers(self, agent: &AgentId) -> Result<bool> {
        query([OFFERED, READ, "AND v.vouched = 0"], (agent,)).exists(self.hub.store().read()).await
    }

    /// Its files by path. One that is not as it was accepted has none.
    pub(crate) async fn files_of(self, skill: &OfferedSkill) -> Result<BTreeMap<String, Vec<u8>>> {
        let files: Vec<(String, Vec<u8>)> =
            query("SELECT path, bytes FROM skill_files WHERE skill_id = $1 AND waiting = 0", (&skill.id,))
                .fetch_all(self.hub.store().read())
                .await?;
        let pins = &skill.report.files;
        let is_pinned = |(path, bytes): &(String, Vec<u8>)| {
            pins.iter().any(|pin| pin.path == *path && pin.digest == digest(bytes))
        };
        if digest_of(pins) != skill.digest || files.len() != pins.len() || !files.iter().all(is_pinned) {
            tracing::warn!(skill.id = %skill.id, "a skill is not as it was accepted");
            return Ok(BTreeMap::new());
        }
        let as_read = |bytes: Vec<u8>| match str::from_utf8(&bytes) {
            Ok(text) => for_models(text).into_bytes(),
            Err(_) => bytes,
        };
        let found = files.into_iter().filter(|(path, _)| skill.report.leaves_script(path));
        Ok(found.map(|(path, bytes)| (path, as_read(bytes))).collect())
    }
}
