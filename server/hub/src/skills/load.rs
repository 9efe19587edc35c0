//! What agents are given of the library: accepted versions, as they were pinned, without letters that nobody sees.

use super::front_matter;
use super::needs::lacking;
use super::parcel::{MAIN, digest, digest_of};
use super::shipped;
use super::visible::for_models;
use crate::error::{Error, Result};
use crate::skills::Skills;
use crate::store::{Connection, FromRow, Json, Row, Transaction, query};
use protocol::run::{ListedSkill, PromptSkill, RunSpec};
use protocol::view::{PinnedFile, SkillReport};
use protocol::{AgentId, RunId, SkillId};
use sqlx::{Any, Executor};
use std::collections::BTreeSet;

/// Under this name, which no skill has, a run notes that it was told what skills of strangers are for.
const CATALOGUE: &str = "";

/// A skill that an agent may read.
pub(crate) struct OfferedSkill {
    pub(super) id: SkillId,
    pub(crate) name: String,
    pub(super) digest: String,
    pub(crate) report: SkillReport,
    /// Its person does not stand by every word of it.
    pub(crate) is_foreign: bool,
    /// When this version came.
    pub(crate) at: i64,
}

/// A file of one, as an agent reads it.
pub(crate) struct ReadSkill {
    pub(crate) skill: OfferedSkill,
    pub(crate) text: String,
}

impl FromRow for OfferedSkill {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(report) = row.get("report")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            digest: row.get("digest")?,
            report,
            is_foreign: !row.get::<bool>("vouched")?,
            at: row.get("at")?,
        })
    }
}

pub(super) const ACCEPTED: &str = "SELECT s.id, s.name, v.digest, v.report, v.vouched, v.at
     FROM skills s JOIN skill_versions v ON v.skill_id = s.id AND v.waiting = 0
     WHERE s.user_id = $1
       AND NOT EXISTS (SELECT 1 FROM revoked_skills r WHERE r.digest = v.digest)";
pub(super) const OFFERED: &str = "SELECT s.id, s.name, v.digest, v.report, v.vouched, v.at
     FROM agent_skills c JOIN agents a ON a.id = c.agent_id
     JOIN skills s ON s.id = c.skill_id AND s.user_id = a.user_id
     JOIN skill_versions v ON v.skill_id = s.id AND v.waiting = 0
     WHERE c.agent_id = $1
       AND NOT EXISTS (SELECT 1 FROM revoked_skills r WHERE r.digest = v.digest)";

impl OfferedSkill {
    /// One line: what it is for.
    pub(crate) fn about(&self) -> String {
        for_models(&self.report.description)
    }

    /// What can be read besides its instructions.
    pub(crate) fn files(&self) -> Vec<&str> {
        let files = self.report.files.iter().map(|file| file.path.as_str());
        files.filter(|path| *path != MAIN).collect()
    }

    /// A file of it, if it is still the one that its person accepted.
    async fn file(&self, db: impl Executor<'_, Database = Any>, path: &str) -> Result<String> {
        let Some(PinnedFile { digest: pin, .. }) = self.report.files.iter().find(|file| file.path == path)
        else {
            return Err(Error::invalid(match self.files().as_slice() {
                [] => format!("The skill {} has no other files.", self.name),
                files => format!("The skill {} has no file {path}. It has: {}.", self.name, files.join(", ")),
            }));
        };
        let bytes: Vec<u8> = query(
            "SELECT bytes FROM skill_files WHERE skill_id = $1 AND waiting = 0 AND path = $2",
            (&self.id, path),
        )
        .fetch_optional(db)
        .await?
        .unwrap_or_default();
        if digest(&bytes) != *pin || digest_of(&self.report.files) != self.digest {
            tracing::warn!(skill.id = %self.id, "a skill is not as it was accepted");
            return Err(Error::Conflict(format!(
                "The skill {} is not as your person accepted it, and is not read. Tell them to bring it in again.",
                self.name
            )));
        }
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Error::invalid(format!("{path} is no text and cannot be read.")))?;
        Ok(for_models(&text))
    }

    /// Its instructions without their head.
    pub(super) async fn body(&self, db: impl Executor<'_, Database = Any>) -> Result<String> {
        let text = self.file(db, MAIN).await?;
        Ok(front_matter::read(&text)?.1.trim().to_owned())
    }

    /// Whether an agent with these tools is told of it.
    pub(crate) fn suits(&self, given: &BTreeSet<&str>) -> bool {
        lacking(&self.report.requires, given).is_empty()
    }

    fn for_the_catalogue(self) -> ListedSkill {
        ListedSkill { about: self.about(), name: self.name, foreign: self.is_foreign }
    }

    fn for_the_prompt(self, text: String) -> PromptSkill {
        PromptSkill {
            name: self.name,
            text,
            foreign: self.is_foreign,
            allowed_tools: self.report.allowed_tools,
            hosts: self.report.only_hosts,
            mounts: self.report.only_mounts,
        }
    }
}

impl Skills<'_> {
    /// What the agent may read of its person's library, by name.
    pub(crate) async fn offered(self, agent: &AgentId) -> Result<Vec<OfferedSkill>> {
        query([OFFERED, "ORDER BY s.name"], (agent,)).fetch_all(self.hub.store().read()).await
    }

    /// A file of a skill, or its instructions. From then on the skill is loaded in the run.
    pub(crate) async fn read(
        self,
        agent: &AgentId,
        run: Option<&RunId>,
        name: &str,
        file: Option<&str>,
    ) -> Result<Option<ReadSkill>> {
        let store = self.hub.store();
        let skill: Option<OfferedSkill> =
            query([OFFERED, "AND s.name = $2"], (agent, name)).fetch_optional(store.read()).await?;
        let Some(skill) = skill else { return Ok(None) };
        let text = match file {
            Some(path) => skill.file(store.read(), path).await?,
            None => skill.body(store.read()).await?,
        };
        if let Some(run) = run {
            let mut tx = store.write().await?;
            let SkillReport { allowed_tools, only_hosts, only_mounts, .. } = &skill.report;
            let (name, is_foreign) = (&*skill.name, skill.is_foreign);
            let loaded = Loaded { name, allowed_tools, hosts: only_hosts, mounts: only_mounts, is_foreign };
            loaded.note(&mut tx, run, agent).await?;
            tx.commit().await?;
        }
        Ok(Some(ReadSkill { skill, text }))
    }

    /// What stands in the agent's prompt. One that is not as it was accepted is left out.
    pub(crate) async fn for_prompt(self, agent: &AgentId) -> Result<Vec<PromptSkill>> {
        let mut tx = self.hub.store().reader().await?;
        always(&mut tx, agent).await
    }

    /// Those that an agent with these tools reads when it needs them, by name.
    pub(crate) async fn for_catalogue(
        self,
        agent: &AgentId,
        given: &BTreeSet<&str>,
    ) -> Result<Vec<ListedSkill>> {
        let offered: Vec<OfferedSkill> =
            query([OFFERED, "AND c.chosen = 'found'"], (agent,)).fetch_all(self.hub.store().read()).await?;
        let shipped = shipped::all().iter().filter(|skill| skill.suits(given)).map(|skill| ListedSkill {
            name: skill.name.to_owned(),
            about: skill.about.to_owned(),
            foreign: false,
        });
        let own = offered.into_iter().filter(|skill| skill.suits(given));
        let mut listed: Vec<ListedSkill> = shipped.chain(own.map(OfferedSkill::for_the_catalogue)).collect();
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(listed)
    }
}

pub(super) async fn always(connection: &mut Connection, agent: &AgentId) -> Result<Vec<PromptSkill>> {
    let offered: Vec<OfferedSkill> = query([OFFERED, "AND c.chosen = 'always' ORDER BY s.name"], (agent,))
        .fetch_all(&mut *connection)
        .await?;
    let mut skills = Vec::new();
    for skill in offered {
        match skill.body(&mut *connection).await {
            Ok(text) => skills.push(skill.for_the_prompt(text)),
            Err(Error::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(skills)
}

/// Notes the skills that a run begins with, and whether strangers say in its prompt what theirs are for.
pub(crate) async fn begin_with(
    tx: &mut Transaction,
    run: &RunId,
    agent: &AgentId,
    spec: &RunSpec,
) -> Result<()> {
    for PromptSkill { name, allowed_tools, hosts, mounts, foreign, .. } in &spec.skills {
        let loaded = Loaded { name, allowed_tools, hosts, mounts, is_foreign: *foreign };
        loaded.note(tx, run, agent).await?;
    }
    if spec.listed_skills.iter().any(|skill| skill.foreign) {
        let no_skill =
            Loaded { name: CATALOGUE, allowed_tools: &None, hosts: &None, mounts: &None, is_foreign: true };
        no_skill.note(tx, run, agent).await?;
    }
    Ok(())
}

/// What the asking run has loaded, its sub-agent's run has from the beginning: it is kept to the same, and its commands
/// find the same.
pub(crate) async fn begin_with_those_of(
    tx: &mut Transaction,
    asker: &RunId,
    run: &RunId,
    agent: &AgentId,
) -> Result<()> {
    query(
        "INSERT INTO loaded_skills (run_id, agent_id, name, allowed_tools, hosts, mounts, foreign_words)
         SELECT $2, l.agent_id, l.name, l.allowed_tools, l.hosts, l.mounts, l.foreign_words
         FROM loaded_skills l JOIN agents a ON a.id = $3
         WHERE l.run_id = $1 AND a.root_id IS NOT NULL
         ON CONFLICT DO NOTHING",
        (asker, run, agent),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What a run notes of a skill that it has loaded: to what it is kept with it, and whose words it has read.
struct Loaded<'a> {
    name: &'a str,
    allowed_tools: &'a Option<Vec<String>>,
    hosts: &'a Option<Vec<String>>,
    mounts: &'a Option<Vec<String>>,
    is_foreign: bool,
}

impl Loaded<'_> {
    async fn note(self, tx: &mut Transaction, run: &RunId, agent: &AgentId) -> Result<()> {
        let [tools, hosts, mounts] =
            [self.allowed_tools, self.hosts, self.mounts].map(|names| names.as_ref().map(Json));
        query(
            "INSERT INTO loaded_skills (run_id, agent_id, name, allowed_tools, hosts, mounts, foreign_words)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
            (run, agent, self.name, tools, hosts, mounts, self.is_foreign),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// Whether a stranger's skill ever stood in the agent's prompt.
pub(crate) async fn has_read_foreign(connection: &mut Connection, agent: &AgentId) -> Result<bool> {
    query("SELECT 1 FROM loaded_skills WHERE agent_id = $1 AND foreign_words = 1 LIMIT 1", (agent,))
        .exists(&mut *connection)
        .await
}
