//! Skills that administrators lend. Whoever takes one has a skill of their own, which waits for them like any other.

use super::bring::Looked;
use super::rows::{self, Which};
use super::take_in::Material;
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::skills::OwnSkills;
use crate::store::{FromRow, Json, Row, query};
use protocol::hub::Noun;
use protocol::view::{AuditAction, LentSkill, SkillReport, SkillSharing, SkillSource};
use protocol::{GroupId, SkillId, UserId};

/// What is lent to somebody, as its administrator accepted it. A share ends with the role of whoever shares.
const LENT: &str = "SELECT s.id, s.name, s.user_id, v.report, o.name AS lender
     FROM lent_skills l CROSS JOIN skills s CROSS JOIN users o CROSS JOIN skill_versions v
     WHERE s.id = l.skill_id AND s.user_id <> $1
       AND o.id = s.user_id AND o.role = 'admin' AND o.disabled = 0
       AND v.skill_id = s.id AND v.waiting = 0
       AND NOT EXISTS (SELECT 1 FROM revoked_skills r WHERE r.digest = v.digest)
       AND (l.everyone = 1 OR EXISTS (
         SELECT 1 FROM lent_skill_groups g JOIN people_group_members m ON m.group_id = g.group_id
         WHERE g.skill_id = l.skill_id AND m.user_id = $1))";
/// That they have no such version.
const NEW: &str = "AND NOT EXISTS (SELECT 1 FROM skills m JOIN skill_versions w ON w.skill_id = m.id
     WHERE m.user_id = $1 AND w.digest = v.digest)";

struct Lent {
    view: LentSkill,
    owner: UserId,
}

impl FromRow for Lent {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(report): Json<SkillReport> = row.get("report")?;
        let view = LentSkill {
            id: row.get("id")?,
            name: row.get("name")?,
            description: report.description,
            by: row.get("lender")?,
        };
        Ok(Self { view, owner: row.get("user_id")? })
    }
}

impl OwnSkills<'_> {
    /// Those that are lent to the viewer, and of which they have not this very version.
    pub(super) async fn lent(self) -> Result<Vec<LentSkill>> {
        let lent: Vec<Lent> = query([LENT, NEW, "ORDER BY s.name, s.id"], (self.scoped.owner(),))
            .fetch_all(self.scoped.hub.store().read())
            .await?;
        Ok(lent.into_iter().map(|lent| lent.view).collect())
    }

    /// Puts a skill that is lent to the viewer into their quarantine.
    pub async fn take(self, id: &SkillId) -> Result<SkillId> {
        let pool = self.scoped.hub.store().read();
        if rows::find(pool, self.scoped.owner(), id).await?.is_some() {
            return Err(Error::Conflict("This skill is yours already.".to_owned()));
        }
        let (lent, material) = self.lent_material(id).await?;
        let source = SkillSource::Lent { skill: lent.view.id, by: lent.view.by };
        self.take_in(material, source).await?.taken()
    }

    /// What is lent to them under this id now.
    pub(super) async fn look_at_lent(self, id: &SkillId) -> Result<Looked> {
        match self.lent_material(id).await {
            Ok((_, material)) => Ok(Looked::One(material)),
            Err(Error::NotFound(_)) => {
                Err(Error::Conflict("It is not lent to you any more. What you accepted stays.".to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    async fn lent_material(self, id: &SkillId) -> Result<(Lent, Material)> {
        let pool = self.scoped.hub.store().read();
        let lent: Option<Lent> =
            query([LENT, "AND s.id = $2"], (self.scoped.owner(), id)).fetch_optional(pool).await?;
        let lent = lent.ok_or(Error::NotFound("skill"))?;
        let files = rows::files(pool, &lent.owner.0, id, Which::Accepted).await?;
        Ok((lent, Material::Files(files.0)))
    }

    /// Lends an administrator's own skill, in place of how it was lent before: what they accepted of it, now and later.
    pub async fn share(self, id: &SkillId, everyone: bool, groups: &[GroupId]) -> Result<()> {
        let (hub, owner) = (self.scoped.hub, self.scoped.owner());
        let mut tx = hub.store().write().await?;
        let skill = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("skill"))?;
        hub.as_admin(self.scoped.viewer).ok_or(Error::Forbidden("Skills are lent by administrators."))?;
        query("DELETE FROM lent_skills WHERE skill_id = $1", (id,)).execute(&mut *tx).await?;
        if everyone || !groups.is_empty() {
            query("INSERT INTO lent_skills (skill_id, everyone) VALUES ($1, $2)", (id, everyone))
                .execute(&mut *tx)
                .await?;
        }
        for group in groups {
            // One that is not there, or no more, is left out.
            query(
                "INSERT INTO lent_skill_groups (skill_id, group_id)
                 SELECT $1, id FROM people_groups WHERE id = $2 ON CONFLICT DO NOTHING",
                (id, group),
            )
            .execute(&mut *tx)
            .await?;
        }
        let with = if everyone { "everyone".to_owned() } else { format!("groups: {}", groups.len()) };
        let line = AuditEvent::done(AuditAction::SkillShared, self.scoped.viewer).about_nobody();
        hub.audit().note(&mut tx, line.object(&format!("{}, {with}", skill.name))).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await
    }

    /// To whom a skill of the viewer's is lent; `None` where that is not theirs to say.
    pub(super) async fn sharing(self, id: &SkillId) -> Result<Option<SkillSharing>> {
        let hub = self.scoped.hub;
        let Some(admin) = hub.as_admin(self.scoped.viewer) else { return Ok(None) };
        let pool = hub.store().read();
        let everyone: Option<bool> =
            query("SELECT everyone FROM lent_skills WHERE skill_id = $1", (id,)).fetch_optional(pool).await?;
        let lent: Vec<GroupId> = query("SELECT group_id FROM lent_skill_groups WHERE skill_id = $1", (id,))
            .fetch_all(pool)
            .await?;
        let groups = admin.groups().list().await?.into_iter();
        let groups = groups.map(|group| (lent.contains(&group.id), group)).map(|(is, group)| (group, is));
        Ok(Some(SkillSharing { everyone: everyone.unwrap_or_default(), groups: groups.collect() }))
    }
}
