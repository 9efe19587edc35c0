//! Which agents are given which skills. None is by itself.

use super::needs::{lacking, named};
use super::{load, shipped};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::skills::OwnSkills;
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::AgentId;
use protocol::hub::Noun;
use protocol::view::{AgentSkill, AuditAction, ShippedSkill, SkillChoice, SkillReport, SkillUse};
use std::collections::BTreeSet;

/// Bytes of all skills together that stand in an agent's prompt.
const ALWAYS: usize = 24 * 1024;

const CHOICES: &str = "SELECT s.id, s.name, v.report, c.chosen
     FROM skills s JOIN skill_versions v ON v.skill_id = s.id AND v.waiting = 0
     LEFT JOIN agent_skills c ON c.skill_id = s.id AND c.agent_id = $2
     WHERE s.user_id = $1 ORDER BY s.name";

impl FromRow for AgentSkill {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(report): Json<SkillReport> = row.get("report")?;
        Ok(Self {
            skill: row.get("id")?,
            name: row.get("name")?,
            description: report.description,
            chosen: row.get::<Option<SkillUse>>("chosen")?.unwrap_or_default(),
            lacks: report.requires,
        })
    }
}

impl OwnSkills<'_> {
    /// The accepted skills, with whether the agent has them.
    pub async fn of_agent(self, agent: &AgentId) -> Result<Vec<AgentSkill>> {
        self.scoped.require_agent(agent).await?;
        let skills =
            query(CHOICES, (self.scoped.owner(), agent)).fetch_all(self.scoped.hub.store().read()).await?;
        Ok(without_given(skills, &self.scoped.hub.skills().given_tools(agent).await?))
    }

    /// The skills that come with the hub, by name, with what keeps the agent from being told of each.
    pub async fn shipped_for(self, agent: &AgentId) -> Result<Vec<ShippedSkill>> {
        self.scoped.require_agent(agent).await?;
        let given = self.scoped.hub.skills().given_tools(agent).await?;
        let given = named(&given);
        let view =
            |skill: &shipped::Skill| ShippedSkill { name: skill.name.to_owned(), lacks: skill.lacks(&given) };
        let mut skills: Vec<ShippedSkill> = shipped::all().iter().map(view).collect();
        skills.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(skills)
    }

    /// Gives the agent these skills, in these ways. Those that are not named stay as they are. It counts from its
    /// next run on.
    pub async fn choose(self, agent: &AgentId, choices: &[SkillChoice]) -> Result<Vec<AgentSkill>> {
        let name = self.scoped.agents().get(agent).await?.name;
        let owner = self.scoped.owner();
        let given = self.scoped.hub.skills().given_tools(agent).await?;
        let mut tx = self.scoped.hub.store().write().await?;
        let known: Vec<AgentSkill> = query(CHOICES, (owner, agent)).fetch_all(&mut *tx).await?;
        for SkillChoice { skill, chosen } in choices {
            if known.iter().all(|known| known.skill != *skill) {
                return Err(Error::NotFound("skill"));
            }
            query("DELETE FROM agent_skills WHERE agent_id = $1 AND skill_id = $2", (agent, skill))
                .execute(&mut *tx)
                .await?;
            match chosen {
                SkillUse::Off => {}
                SkillUse::Found | SkillUse::Always => {
                    query(
                        "INSERT INTO agent_skills (agent_id, skill_id, chosen) VALUES ($1, $2, $3)",
                        (agent, skill, *chosen),
                    )
                    .execute(&mut *tx)
                    .await?;
                }
            }
        }
        let always: usize = load::always(&mut tx, agent).await?.iter().map(|skill| skill.text.len()).sum();
        if always > ALWAYS {
            return Err(Error::Limit(format!(
                "The skills that are always in the prompt have {} KB together, and may have {}. Let the agent find some of them instead.",
                always.div_ceil(1024),
                ALWAYS / 1024
            )));
        }
        let now: Vec<AgentSkill> = query(CHOICES, (owner, agent)).fetch_all(&mut *tx).await?;
        let line = AuditEvent::done(AuditAction::SkillsChosen, self.scoped.viewer);
        let object = format!("{name}: {}", in_words(&now));
        self.scoped.hub.audit().note(&mut tx, line.object(&object)).await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await?;
        Ok(without_given(now, &given))
    }
}

/// Gives a copy the skills of its original.
pub(crate) async fn copy_choices(tx: &mut Transaction, from: &AgentId, to: &AgentId) -> Result<()> {
    query(
        "INSERT INTO agent_skills (agent_id, skill_id, chosen)
         SELECT $2, skill_id, chosen FROM agent_skills WHERE agent_id = $1",
        (from, to),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Of what each requires, only what the agent lacks.
fn without_given(mut skills: Vec<AgentSkill>, given: &BTreeSet<String>) -> Vec<AgentSkill> {
    let given = named(given);
    for skill in &mut skills {
        skill.lacks = lacking(&skill.lacks, &given);
    }
    skills
}

/// In few words, for the audit.
fn in_words(skills: &[AgentSkill]) -> String {
    let named = skills.iter().filter_map(|skill| match skill.chosen {
        SkillUse::Off => None,
        SkillUse::Found => Some(skill.name.clone()),
        SkillUse::Always => Some(format!("{} always", skill.name)),
    });
    let named: Vec<String> = named.collect();
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}
