//! To which agents a skill is given, said for all of them at once.

use super::needs::{lacking, named};
use super::rows::{self, Which};
use crate::audit::AuditEvent;
use crate::error::{Error, Result};
use crate::skills::OwnSkills;
use crate::store::{FromRow, Json, Row, query};
use agent::tools::GET_SKILL;
use protocol::hub::Noun;
use protocol::view::{AuditAction, GivenAgent, SkillUse};
use protocol::{AgentId, SkillId};
use std::collections::BTreeSet;

const AGENTS: &str = "SELECT a.id, a.name, a.tools, c.chosen
     FROM agents a LEFT JOIN agent_skills c ON c.agent_id = a.id AND c.skill_id = $2
     WHERE a.user_id = $1 AND a.parent_id IS NULL ORDER BY a.name, a.id";

/// An agent as it stands to a skill.
struct Having(GivenAgent);

impl FromRow for Having {
    fn from_row(row: &Row) -> Result<Self> {
        let Json(tools): Json<Vec<String>> = row.get("tools")?;
        let reads = tools.iter().any(|tool| tool == GET_SKILL);
        Ok(Self(GivenAgent {
            agent: row.get("id")?,
            name: row.get("name")?,
            has: row.get::<Option<SkillUse>>("chosen")?.is_some(),
            lacks: if reads { Vec::new() } else { vec![GET_SKILL.to_owned()] },
        }))
    }
}

impl OwnSkills<'_> {
    /// The viewer's agents, and whether they have the skill, which requires these tools.
    pub(super) async fn agents_with(self, id: &SkillId, required: &[String]) -> Result<Vec<GivenAgent>> {
        let hub = self.scoped.hub;
        let agents: Vec<Having> =
            query(AGENTS, (self.scoped.owner(), id)).fetch_all(hub.store().read()).await?;
        let mut agents: Vec<GivenAgent> = agents.into_iter().map(|Having(agent)| agent).collect();
        // Most require none, and then it need not be known what each of them has.
        if !required.is_empty() {
            for known in &mut agents {
                let given = hub.skills().given_tools(&known.agent).await?;
                known.lacks.extend(lacking(required, &named(&given)));
            }
        }
        Ok(agents)
    }

    /// Lets these agents have the skill, and no others. One that had it keeps it in its way; the others read it when
    /// they need it. It counts from their next runs on.
    pub async fn give_to_agents(self, id: &SkillId, agents: &[AgentId]) -> Result<()> {
        let owner = self.scoped.owner();
        let wanted: BTreeSet<&AgentId> = agents.iter().collect();
        let mut tx = self.scoped.hub.store().write().await?;
        let skill = rows::find(&mut *tx, owner, id).await?.ok_or(Error::NotFound("skill"))?;
        if rows::version(&mut *tx, owner, id, Which::Accepted).await?.is_none() {
            return Err(Error::NotFound("skill"));
        }
        let known: Vec<Having> = query(AGENTS, (owner, id)).fetch_all(&mut *tx).await?;
        if wanted.iter().any(|wanted| known.iter().all(|Having(known)| known.agent != **wanted)) {
            return Err(Error::NotFound("agent"));
        }
        for Having(GivenAgent { agent, name, has, .. }) in &known {
            let how = match (*has, wanted.contains(agent)) {
                (false, true) => {
                    query(
                        "INSERT INTO agent_skills (agent_id, skill_id, chosen) VALUES ($1, $2, $3)",
                        (agent, id, SkillUse::Found),
                    )
                    .execute(&mut *tx)
                    .await?;
                    "also"
                }
                (true, false) => {
                    query("DELETE FROM agent_skills WHERE agent_id = $1 AND skill_id = $2", (agent, id))
                        .execute(&mut *tx)
                        .await?;
                    "no longer"
                }
                (true, true) | (false, false) => continue,
            };
            let line = AuditEvent::done(AuditAction::SkillsChosen, self.scoped.viewer);
            let object = format!("{name}: {how} {}", skill.name);
            self.scoped.hub.audit().note(&mut tx, line.object(&object)).await?;
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::Skills);
        tx.commit().await
    }
}
