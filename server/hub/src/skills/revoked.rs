//! Versions that an administrator takes back, by their digest: nobody's agents are given any of them from then on,
//! whoever accepted them, and whoever has one is told.

use crate::access::Admin;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::notifications::News;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::{AuditAction, RevokedSkill};
use protocol::{AgentId, UserId};

/// As many as there can be.
const MOST_REVOKED: usize = 1000;

/// What administrators say of everybody's skills.
#[derive(Clone, Copy, Debug)]
pub struct SkillsOfAll<'a> {
    admin: Admin<'a>,
}

impl<'a> Admin<'a> {
    pub fn skills(&self) -> SkillsOfAll<'a> {
        SkillsOfAll { admin: *self }
    }
}

impl FromRow for RevokedSkill {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { digest: row.get("digest")?, name: row.get("name")?, at: row.get("at")? })
    }
}

impl SkillsOfAll<'_> {
    /// What was taken back, the newest first.
    pub async fn revoked(self) -> Result<Vec<RevokedSkill>> {
        query("SELECT digest, name, at FROM revoked_skills ORDER BY at DESC, digest", ())
            .fetch_all(self.admin.hub.store().read())
            .await
    }

    /// Takes the version with this digest back.
    pub async fn revoke(self, digest: &str) -> Result<()> {
        let (hub, digest) = (self.admin.hub, checked(digest)?);
        if self.revoked().await?.len() >= MOST_REVOKED {
            return Err(Error::Limit(format!(
                "{MOST_REVOKED} versions are taken back. Allow some again first."
            )));
        }
        let mut tx = hub.store().write().await?;
        let name: Option<String> = query(
            "SELECT s.name FROM skill_versions v JOIN skills s ON s.id = v.skill_id
             WHERE v.digest = $1 ORDER BY s.name LIMIT 1",
            (&digest,),
        )
        .fetch_optional(&mut *tx)
        .await?;
        let name = name.unwrap_or_default();
        let is_new = query(
            "INSERT INTO revoked_skills (digest, name, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            (&digest, &name, hub.now()),
        )
        .execute(&mut *tx)
        .await?;
        if is_new == 0 {
            return Ok(());
        }
        for (agent, skill) in having(&mut tx, &digest).await? {
            hub.notifications().note(&mut tx, &agent, None, News::SkillRevoked { skill: &skill }).await?;
        }
        let line = AuditEvent::done(AuditAction::SkillRevoked, self.admin.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(&format!("{name} {}", &digest[..12]))).await?;
        tell_all(&mut tx, &self.admin.viewer.me.id, &digest).await?;
        tx.commit().await?;
        hub.notifications().wake();
        Ok(())
    }

    /// Lets agents have it again whose people accepted it.
    pub async fn restore(self, digest: &str) -> Result<()> {
        let (hub, digest) = (self.admin.hub, checked(digest)?);
        let mut tx = hub.store().write().await?;
        let name: Option<String> =
            query("DELETE FROM revoked_skills WHERE digest = $1 RETURNING name", (&digest,))
                .fetch_optional(&mut *tx)
                .await?;
        let name = name.ok_or(Error::NotFound("skill"))?;
        let line = AuditEvent::done(AuditAction::SkillRestored, self.admin.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(&format!("{name} {}", &digest[..12]))).await?;
        tell_all(&mut tx, &self.admin.viewer.me.id, &digest).await?;
        tx.commit().await
    }
}

/// One agent of each person who has this version and gave it to some, with what it is called there.
async fn having(tx: &mut Transaction, digest: &str) -> Result<Vec<(AgentId, String)>> {
    query(
        "SELECT MIN(c.agent_id), MIN(s.name) FROM skill_versions v JOIN skills s ON s.id = v.skill_id
         JOIN agent_skills c ON c.skill_id = s.id
         WHERE v.digest = $1 AND v.waiting = 0 GROUP BY s.user_id",
        (digest,),
    )
    .fetch_all(&mut **tx)
    .await
}

/// The pages of all who have this version show something else now, and those of who said so.
async fn tell_all(tx: &mut Transaction, by: &UserId, digest: &str) -> Result<()> {
    let owners: Vec<UserId> = query(
        "SELECT DISTINCT s.user_id FROM skill_versions v JOIN skills s ON s.id = v.skill_id WHERE v.digest = $1",
        (digest,),
    )
    .fetch_all(&mut **tx)
    .await?;
    for owner in owners.iter().chain([by]) {
        tx.changes(owner, Noun::Skills);
    }
    Ok(())
}

fn checked(digest: &str) -> Result<String> {
    let digest = digest.trim().to_lowercase();
    match digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(digest),
        false => Err(Error::invalid("That is no SHA-256 of a skill: it has 64 digits, from 0 to f.")),
    }
}
