//! What a person does with their library: look, accept, refuse and remove.

use super::parcel::{Parcel, digest};
use super::rows::{self, StoredVersion, Which};
use super::shipped;
use super::visible::spelled;
use crate::audit::AuditEvent;
use crate::difference;
use crate::error::{Error, Result};
use crate::skills::OwnSkills;
use crate::store::query;
use protocol::SkillId;
use protocol::hub::Noun;
use protocol::view::{
    AuditAction, SkillChange, SkillDetail, SkillLibrary, SkillSource, SkillText, SkillVersion, SkillView,
};
use std::collections::{BTreeMap, BTreeSet};

impl OwnSkills<'_> {
    /// All of the viewer's skills, those that come with the hub, and those that are lent to them.
    pub async fn list(self) -> Result<SkillLibrary> {
        let skills = rows::list(self.scoped.hub.store().read(), self.scoped.owner()).await?;
        let mut shipped: Vec<(String, String)> =
            shipped::all().iter().map(|skill| (skill.name.to_owned(), skill.about.to_owned())).collect();
        shipped.sort();
        let lent = self.lent().await?;
        let revoked = match self.scoped.hub.as_admin(self.scoped.viewer) {
            Some(admin) => Some(admin.skills().revoked().await?),
            None => None,
        };
        Ok(SkillLibrary { skills, shipped, lent, revoked })
    }

    /// Those that agents wrote and that wait for an answer, by name.
    pub(crate) async fn proposed(self) -> Result<Vec<SkillView>> {
        let mut waiting = rows::waiting(self.scoped.hub.store().read(), self.scoped.owner()).await?;
        waiting.retain(|skill| matches!(skill.source, SkillSource::Agent { .. }));
        Ok(waiting)
    }

    /// A skill with its files, what was found in it, and what an update changes.
    pub async fn get(self, id: &SkillId) -> Result<SkillDetail> {
        let (store, owner) = (self.scoped.hub.store(), self.scoped.owner());
        let skill = rows::find(store.read(), owner, id).await?.ok_or(Error::NotFound("skill"))?;
        let mut read = [None, None];
        for (place, which) in read.iter_mut().zip([Which::Accepted, Which::Waiting]) {
            if let Some(version) = rows::version(store.read(), owner, id, which).await? {
                *place = Some((version, rows::files(store.read(), owner, id, which).await?));
            }
        }
        let [accepted, waiting] = read;
        let changes = match (&accepted, &waiting) {
            (Some((_, before)), Some((_, after))) => changes(before, after).await?,
            (Some(_), None) | (None, Some(_) | None) => Vec::new(),
        };
        let view = |(version, parcel)| viewed(version, &parcel);
        let sharing = self.sharing(id).await?;
        let agents = match &accepted {
            Some((version, _)) => self.agents_with(id, &version.report.requires).await?,
            None => Vec::new(),
        };
        let (accepted, waiting) = (accepted.map(view), waiting.map(view));
        Ok(SkillDetail { skill, accepted, waiting, changes, sharing, agents })
    }

    /// What agents are given of it, by path. Empty: nothing yet.
    pub(crate) async fn accepted_files(self, id: &SkillId) -> Result<BTreeMap<String, Vec<u8>>> {
        let store = self.scoped.hub.store().read();
        Ok(rows::files(store, self.scoped.owner(), id, Which::Accepted).await?.0)
    }

    /// Lets agents have the version that waits, if it is still the one that was looked at. `vouched`: its person
    /// stands by every word of it.
    pub async fn accept(self, id: &SkillId, digest: &str, vouched: bool) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        let skill = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("skill"))?;
        let waiting = rows::version(&mut *tx, owner, id, Which::Waiting).await?;
        let waiting = waiting.ok_or_else(nothing_waits)?;
        if waiting.digest != digest {
            return Err(Error::Conflict(
                "Another version came while you looked at this one. Look at that first.".to_owned(),
            ));
        }
        let is_revoked = query("SELECT 1 FROM revoked_skills WHERE digest = $1", (digest,));
        if is_revoked.exists(&mut *tx).await? {
            return Err(Error::Conflict(
                "An administrator of this hub took this version back, so it cannot be accepted.".to_owned(),
            ));
        }
        rows::accept(&mut tx, id, vouched).await?;
        let line = AuditEvent::done(AuditAction::SkillAccepted, self.scoped.viewer);
        let object = format!("{} {}", skill.name, &waiting.digest[..12]);
        self.scoped.hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await
    }

    /// Lets go of the version that waits. What was accepted before stays.
    pub async fn refuse(self, id: &SkillId) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("skill"))?;
        if rows::delete_version(&mut tx, id, Which::Waiting).await? == 0 {
            return Err(nothing_waits());
        }
        query(
            "DELETE FROM skills WHERE id = $1 AND user_id = $2
             AND NOT EXISTS (SELECT 1 FROM skill_versions v WHERE v.skill_id = skills.id)",
            (id, owner),
        )
        .execute(&mut *tx)
        .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await
    }

    /// Removes a skill from the library and from every agent.
    pub async fn remove(self, id: &SkillId) -> Result<()> {
        let owner = self.scoped.owner();
        let mut tx = self.scoped.hub.store().write().await?;
        let name: String =
            query("DELETE FROM skills WHERE id = $1 AND user_id = $2 RETURNING name", (id, owner))
                .fetch_optional(&mut *tx)
                .await?
                .ok_or(Error::NotFound("skill"))?;
        let line = AuditEvent::done(AuditAction::SkillRemoved, self.scoped.viewer);
        self.scoped.hub.audit().note(&mut tx, line.object(&name)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await
    }
}

fn nothing_waits() -> Error {
    Error::Conflict("No version of this skill waits for an answer.".to_owned())
}

fn viewed(version: StoredVersion, parcel: &Parcel) -> SkillVersion {
    let StoredVersion { digest, report, vouched, at } = version;
    let text = |(path, bytes): (&String, &Vec<u8>)| SkillText {
        path: path.clone(),
        text: str::from_utf8(bytes).ok().map(spelled),
    };
    SkillVersion { digest, at, vouched, report, texts: parcel.0.iter().map(text).collect() }
}

/// File by file; of what is no text only its digest.
async fn changes(before: &Parcel, after: &Parcel) -> Result<Vec<SkillChange>> {
    let text = |parcel: &Parcel, path: &String| match parcel.0.get(path) {
        None => String::new(),
        Some(bytes) => match str::from_utf8(bytes) {
            Ok(text) => spelled(text),
            Err(_) => format!("{}\n", digest(bytes)),
        },
    };
    let paths: BTreeSet<&String> = before.0.keys().chain(after.0.keys()).collect();
    let mut changes = Vec::new();
    for path in paths {
        let (before, after) = (text(before, path), text(after, path));
        if before != after {
            let difference = difference::unified(before, after).await?;
            changes.push(SkillChange { path: path.clone(), difference });
        }
    }
    Ok(changes)
}
