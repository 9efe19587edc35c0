//! What a person's agents keep: their logs, the versions of their pages and instructions, their files and those of
//! workspaces; and what the person attached to messages and has in their library of skills. A person may keep so
//! much; what would add to it is refused from there on, and nothing that is kept is lost. A run under way
//! goes on to its end.

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::store::query;
use protocol::view::Space;
use protocol::{AgentId, UserId};

/// How much the viewer keeps here.
#[derive(Clone, Copy, Debug)]
pub struct OwnSpace<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn space(&self) -> OwnSpace<'a> {
        OwnSpace { scoped: *self }
    }
}

/// How much each person keeps here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spaces<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn spaces(&self) -> Spaces<'_> {
        Spaces { hub: self }
    }

    fn person_bytes(&self) -> Option<u64> {
        self.0.space.0
    }
}

/// What a person's agents may keep, in bytes.
pub(crate) struct Most(pub(crate) Option<u64>);

const MEGABYTE: u64 = 1024 * 1024;

/// A file takes 256 bytes beside what is in it, and so does each of its versions: empty ones cost something too.
const KEPT: &str =
    "SELECT (SELECT CAST(COALESCE(SUM(log_bytes), 0) AS BIGINT) FROM agents WHERE user_id = $1)
          + (SELECT CAST(COALESCE(SUM(s.bytes), 0) AS BIGINT)
             FROM skins s JOIN agents a ON a.id = s.agent_id WHERE a.user_id = $1)
          + (SELECT CAST(COALESCE(SUM(f.size + 256), 0) AS BIGINT)
             FROM files f JOIN folders d ON d.id = f.folder_id WHERE d.user_id = $1)
          + (SELECT CAST(COALESCE(SUM(v.size + 256), 0) AS BIGINT)
             FROM file_versions v JOIN folders d ON d.id = v.folder_id WHERE d.user_id = $1)
          + (SELECT CAST(COALESCE(SUM(i.bytes), 0) AS BIGINT)
             FROM instruction_versions i JOIN agents a ON a.id = i.agent_id WHERE a.user_id = $1)
          + (SELECT CAST(COALESCE(SUM(v.bytes), 0) AS BIGINT)
             FROM skill_versions v JOIN skills s ON s.id = v.skill_id WHERE s.user_id = $1)
          + (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM attachments WHERE user_id = $1)";

impl OwnSpace<'_> {
    /// What one's own agents keep, and may.
    pub async fn read(self) -> Result<Space> {
        self.scoped.hub.spaces().space_of(&self.scoped.viewer.me.id).await
    }
}

impl Spaces<'_> {
    /// Fails if the person keeps as much as they may.
    pub(crate) async fn require(self, person: &UserId) -> Result<()> {
        let Some(most) = self.hub.person_bytes() else { return Ok(()) };
        let Space { kept, .. } = self.space_of(person).await?;
        if kept < most {
            return Ok(());
        }
        Err(Error::Limit(format!(
            "Your agents keep {} MB, and you may keep {} MB on this hub. Delete agents that you do not need any more, or ask whoever runs the hub to let everybody keep more.",
            kept / MEGABYTE,
            most / MEGABYTE,
        )))
    }

    /// The same for the person whose agent it is.
    pub(crate) async fn require_for(self, agent: &AgentId) -> Result<()> {
        if self.hub.person_bytes().is_none() {
            return Ok(());
        }
        let owner = query("SELECT user_id FROM agents WHERE id = $1", (agent,))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))?;
        self.require(&owner).await
    }

    async fn space_of(self, person: &UserId) -> Result<Space> {
        let kept: u64 = query(KEPT, (person,)).fetch_one(self.hub.store().read()).await?;
        Ok(Space { kept, most: self.hub.person_bytes() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Row, Store};
    use sqlx::AssertSqlSafe;
    use tempfile::TempDir;

    #[tokio::test]
    async fn what_is_kept_is_counted_without_being_read() {
        let folder = TempDir::new().unwrap();
        let store = Store::open_folder(folder.path()).await.unwrap();
        let explain = format!("EXPLAIN QUERY PLAN {KEPT}");
        let steps: Vec<Row> = query(AssertSqlSafe(explain), ("ada",)).fetch_all(store.read()).await.unwrap();
        let plan: Vec<String> = steps.iter().map(|row| row.get("detail").unwrap()).collect();
        for index in [
            "COVERING INDEX skins_bytes",
            "COVERING INDEX files_size",
            "COVERING INDEX file_versions_size",
            "COVERING INDEX instruction_versions_bytes",
            "COVERING INDEX skill_versions_bytes",
            "COVERING INDEX attachments_size",
        ] {
            assert!(plan.iter().any(|step| step.contains(index)), "{index}: {plan:?}");
        }
    }
}
