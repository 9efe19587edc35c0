//! What other programs of a person are given of the library: accepted versions, as they were pinned.

use super::OwnSkills;
use super::load::{ACCEPTED, OfferedSkill};
use crate::error::{Error, Result};
use crate::store::query;

/// A skill without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillSummary {
    pub name: String,
    /// One line: what it is for.
    pub description: String,
}

/// A skill as it is handed to a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillInstructions {
    pub summary: SkillSummary,
    /// Its instructions, without letters that nobody sees.
    pub text: String,
    /// Names of its other files.
    pub files: Vec<String>,
}

impl From<&OfferedSkill> for SkillSummary {
    fn from(skill: &OfferedSkill) -> Self {
        Self { name: skill.name.clone(), description: skill.about() }
    }
}

impl OwnSkills<'_> {
    /// Those that were accepted, by name.
    pub async fn accepted(self) -> Result<Vec<SkillSummary>> {
        let skills: Vec<OfferedSkill> = query([ACCEPTED, "ORDER BY s.name"], (self.scoped.owner(),))
            .fetch_all(self.scoped.hub.store().read())
            .await?;
        Ok(skills.iter().map(SkillSummary::from).collect())
    }

    /// The instructions of one that was accepted.
    pub async fn instructions(self, name: &str) -> Result<SkillInstructions> {
        let store = self.scoped.hub.store();
        let skill: Option<OfferedSkill> = query([ACCEPTED, "AND s.name = $2"], (self.scoped.owner(), name))
            .fetch_optional(store.read())
            .await?;
        let skill = skill.ok_or(Error::NotFound("skill"))?;
        let text = skill.body(store.read()).await?;
        let files = skill.files().into_iter().map(str::to_owned).collect();
        Ok(SkillInstructions { summary: SkillSummary::from(&skill), text, files })
    }
}
