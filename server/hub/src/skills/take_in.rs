//! A skill on its way into quarantine: read, looked through, pinned and put aside. Nothing of it is believed, and no
//! agent is given any of it.

use super::front_matter;
use super::parcel::{Parcel, digest_of};
use super::rows::{self, StoredVersion, Which};
use super::scan::{Scan, named};
use super::visible::spelled;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::fair_queue::QueueFull;
use crate::skills::{OwnSkills, Skills};
use crate::store::query;
use protocol::hub::Noun;
use protocol::view::{SkillReport, SkillSource, SkillState, SkillView};
use protocol::{AgentId, ConversationId, SkillId, UserId};
use std::collections::BTreeMap;

/// Skills of one person.
const MAX_SKILLS: usize = 50;
/// Those that agents of theirs proposed and that wait.
const MAX_PROPOSED: usize = 10;
/// Characters of a file's name that are kept.
const FILE_NAME: usize = 100;
/// Longest text that is written into the form, or by an agent, in bytes.
const WRITTEN: usize = 128 * 1024;

impl OwnSkills<'_> {
    /// Takes in a `SKILL.md`, or an archive with one.
    pub async fn upload(self, name: &str, bytes: Vec<u8>) -> Result<SkillId> {
        let name: String = name.chars().filter(|letter| !letter.is_control()).take(FILE_NAME).collect();
        self.take_in(Material::Bytes(bytes), SkillSource::File { name }).await?.taken()
    }

    /// Takes in what was written as a `SKILL.md`.
    pub async fn write(self, text: &str) -> Result<SkillId> {
        if text.len() > WRITTEN {
            return Err(Error::Limit("A SKILL.md has at most 128 KB.".to_owned()));
        }
        let text = text.replace("\r\n", "\n").into_bytes();
        self.take_in(Material::Bytes(text), SkillSource::Form).await?.taken()
    }

    pub(super) async fn take_in(self, material: Material, source: SkillSource) -> Result<Outcome> {
        self.scoped.hub.skills().take_in(&self.scoped.viewer.me.id, material, source, None).await
    }

    /// Takes in another version of this skill, from where it came.
    pub(super) async fn update(self, skill: &SkillView, material: Material) -> Result<Outcome> {
        let (skills, owner) = (self.scoped.hub.skills(), &self.scoped.viewer.me.id);
        skills.take_in(owner, material, skill.source.clone(), Some(&skill.name)).await
    }

    /// Does this with what came, apart from what serves others.
    pub(super) async fn unpacked<T: Send + 'static>(
        self,
        bytes: Vec<u8>,
        unpack: impl FnOnce(&[u8]) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.scoped.hub.skills().apart(&self.scoped.viewer.me.id, move || unpack(&bytes)).await
    }
}

/// What a skill is made of.
pub(super) enum Material {
    /// A `SKILL.md`, or an archive with one.
    Bytes(Vec<u8>),
    /// By their paths.
    Files(BTreeMap<String, Vec<u8>>),
}

/// What came of taking something in.
pub(super) enum Outcome {
    Waits(SkillId),
    /// It is what its person accepted already.
    Same(String),
}

impl Outcome {
    /// Where somebody wanted something new.
    pub(super) fn taken(self) -> Result<SkillId> {
        match self {
            Self::Waits(id) => Ok(id),
            Self::Same(name) => Err(Error::Conflict(format!(
                "The skill {name} is in your library already, and nothing of it changed."
            ))),
        }
    }
}

impl Skills<'_> {
    /// What an agent would like to know from now on. It waits for its person like any other.
    pub(crate) async fn propose(
        self,
        owner: &UserId,
        agent: &AgentId,
        conversation: &ConversationId,
        text: String,
    ) -> Result<SkillId> {
        if text.len() > WRITTEN {
            return Err(Error::Limit("A skill has at most 128 KB.".to_owned()));
        }
        let name: String = query("SELECT name FROM agents WHERE id = $1 AND user_id = $2", (agent, owner))
            .fetch_optional(self.hub.store().read())
            .await?
            .ok_or(Error::NotFound("agent"))?;
        let source = SkillSource::Agent { agent: agent.clone(), name, conversation: conversation.clone() };
        self.take_in(owner, Material::Bytes(text.into_bytes()), source, None).await?.taken()
    }

    /// `known`: what it is called, where it is to be a version of one that is there.
    async fn take_in(
        self,
        owner: &UserId,
        material: Material,
        source: SkillSource,
        known: Option<&str>,
    ) -> Result<Outcome> {
        self.hub.spaces().require(owner).await?;
        let (name, report, parcel) = self.apart(owner, move || look_through(material, source)).await?;
        if let Some(known) = known.filter(|known| *known != name) {
            return Err(Error::Conflict(format!(
                "Where {known} came from, there is a skill {name} now. Bring it in as another one if you want it."
            )));
        }
        let version =
            StoredVersion { digest: digest_of(&report.files), report, vouched: false, at: self.hub.now() };
        self.put_aside(owner, &name, version, parcel).await
    }

    async fn apart<T: Send + 'static>(
        self,
        owner: &UserId,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = self.hub.0.skills.looking.enter(owner).await.map_err(|QueueFull| {
            Error::Limit(
                "Too many of your skills are being looked through. Try again in a moment.".to_owned(),
            )
        })?;
        let working = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        });
        working.await.map_err(Error::internal)?
    }

    async fn put_aside(
        self,
        owner: &UserId,
        name: &str,
        version: StoredVersion,
        parcel: Parcel,
    ) -> Result<Outcome> {
        let mut tx = self.hub.store().write().await?;
        let known = rows::named(&mut tx, owner, name).await?;
        let existing = rows::list(&mut *tx, &owner.0).await?;
        if let SkillSource::Agent { .. } = version.report.source {
            check_proposal(&existing, known.as_ref())?;
        }
        let id = match known {
            Some(id) => {
                let accepted = rows::version(&mut *tx, &owner.0, &id, Which::Accepted).await?;
                if accepted.is_some_and(|accepted| accepted.digest == version.digest) {
                    // What came from there meanwhile, and waits, was taken back there.
                    let waiting = rows::version(&mut *tx, &owner.0, &id, Which::Waiting).await?;
                    if waiting.is_some_and(|waiting| waiting.report.source == version.report.source) {
                        rows::delete_version(&mut tx, &id, Which::Waiting).await?;
                        tx.changes(owner, Noun::Skills);
                        tx.commit().await?;
                    }
                    return Ok(Outcome::Same(name.to_owned()));
                }
                id
            }
            None if existing.len() >= MAX_SKILLS => {
                return Err(Error::Limit(format!("You have {MAX_SKILLS} skills. Remove one first.")));
            }
            None => {
                let id = SkillId(new_id());
                query("INSERT INTO skills (id, user_id, name) VALUES ($1, $2, $3)", (&id, owner, name))
                    .execute(&mut *tx)
                    .await?;
                id
            }
        };
        rows::put_waiting(&mut tx, &id, &version, &parcel).await?;
        tx.changes(owner, Noun::Skills);
        tx.commit().await?;
        Ok(Outcome::Waits(id))
    }
}

fn look_through(material: Material, source: SkillSource) -> Result<(String, SkillReport, Parcel)> {
    let parcel = match material {
        Material::Bytes(bytes) => Parcel::read(&bytes)?,
        Material::Files(files) => Parcel(files).checked()?,
    };
    let (head, _) = front_matter::read(parcel.main()?)?;
    let name = named(&head.name);
    let Scan { findings, more, hosts, scripts } = Scan::of(&parcel, &head, &name);
    let report = SkillReport {
        description: spelled(&head.description),
        source,
        licence: head.licence.as_deref().map(spelled),
        compatibility: head.compatibility.as_deref().map(spelled),
        allowed_tools: head.allowed_tools,
        requires: head.requires.iter().map(|name| spelled(name)).collect(),
        only_hosts: named_only(head.hosts),
        only_mounts: named_only(head.mounts),
        only_scripts: named_only(head.scripts),
        hosts,
        scripts,
        files: parcel.pinned(),
        findings,
        more: u32::try_from(more).unwrap_or(u32::MAX),
    };
    Ok((name.name, report, parcel))
}

fn named_only(names: Option<Vec<String>>) -> Option<Vec<String>> {
    names.map(|names| names.iter().map(|name| spelled(name)).collect())
}

/// Agents fill no library, and put nothing in the place of what somebody else brought.
fn check_proposal(existing: &[SkillView], known: Option<&SkillId>) -> Result<()> {
    let is_proposed = |skill: &&SkillView| {
        skill.state != SkillState::Accepted && matches!(skill.source, SkillSource::Agent { .. })
    };
    let waiting = existing.iter().find(|skill| Some(&skill.id) == known);
    match waiting {
        Some(skill) if skill.state != SkillState::Accepted && !is_proposed(&skill) => {
            Err(Error::Conflict(format!(
                "A skill {} that your person brought in waits for their answer. Give yours another name.",
                skill.name
            )))
        }
        Some(_) => Ok(()),
        None if existing.iter().filter(is_proposed).count() >= MAX_PROPOSED => Err(Error::Limit(format!(
            "{MAX_PROPOSED} proposed skills wait for your person. Wait until some are answered."
        ))),
        None => Ok(()),
    }
}
