//! Which agents there are for a program, and what it calls them.

use super::ProgramRuns;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use protocol::AgentId;

/// Characters of an agent's name in its slug, and of its id.
const NAME: usize = 40;
const ID: usize = 8;
/// Characters of what it is said to be.
const PURPOSE: usize = 300;

/// An agent as programs are told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedAgent {
    pub id: AgentId,
    pub name: String,
    /// The first line of its instructions.
    pub purpose: String,
}

impl ProgramRuns<'_> {
    /// The agents of the person that the token opens, by name. Those that an agent made for one thing are not among
    /// them.
    pub async fn agents(self) -> Result<Vec<OfferedAgent>> {
        self.require()?;
        let mut agents: Vec<OfferedAgent> = query(
            "SELECT id, name, substr(instructions, 1, 2000) AS beginning FROM agents
             WHERE user_id = $1 AND parent_id IS NULL ORDER BY name, id",
            (self.person().owner(),),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        agents.retain(|agent| self.program.opens(&agent.id));
        Ok(agents)
    }

    pub async fn agent(self, id: &AgentId) -> Result<OfferedAgent> {
        self.require_opened(id)?;
        query(
            "SELECT id, name, substr(instructions, 1, 2000) AS beginning FROM agents
             WHERE id = $1 AND user_id = $2 AND parent_id IS NULL",
            (id, self.person().owner()),
        )
        .fetch_optional(self.hub.store().read())
        .await?
        .ok_or(Error::NotFound("agent"))
    }
}

impl OfferedAgent {
    /// A name of letters, digits and underscores. Whatever the agent is called later, [`Self::is_called`]
    /// knows this one.
    pub fn slug(&self) -> String {
        let mut name = String::new();
        for letter in self.name.chars() {
            match letter {
                letter if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
                _ if name.ends_with('_') || name.is_empty() => {}
                _ => name.push('_'),
            }
        }
        name.truncate(NAME);
        match name.trim_end_matches('_') {
            "" => format!("agent_{}", self.mark()),
            name => format!("{name}_{}", self.mark()),
        }
    }

    pub fn is_called(&self, slug: &str) -> bool {
        slug.rsplit_once('_').is_some_and(|(_, mark)| mark == self.mark())
    }

    /// The end of its id, where those of agents that were made one after the other differ.
    fn mark(&self) -> String {
        let letters: Vec<char> = self.id.0.chars().filter(char::is_ascii_alphanumeric).collect();
        letters[letters.len().saturating_sub(ID)..].iter().collect()
    }
}

impl FromRow for OfferedAgent {
    fn from_row(row: &Row) -> Result<Self> {
        let beginning: String = row.get("beginning")?;
        let line = beginning.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        Ok(Self { id: row.get("id")?, name: row.get("name")?, purpose: line.chars().take(PURPOSE).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str) -> OfferedAgent {
        let id = AgentId::from("0199-aaaa-0123456789ab");
        OfferedAgent { id, name: name.to_owned(), purpose: String::new() }
    }

    #[test]
    fn a_slug_is_plain_and_outlives_the_name() {
        for (name, slug) in [
            ("Fern", "fern_456789ab"),
            ("My  little -- Fern!", "my_little_fern_456789ab"),
            ("Größe", "gr_e_456789ab"),
            ("シダ", "agent_456789ab"),
            ("", "agent_456789ab"),
        ] {
            assert_eq!(agent(name).slug(), slug);
            assert!(agent("Moss").is_called(slug), "{slug}");
        }
        assert!(agent(&"x".repeat(500)).slug().len() <= 64);
        assert!(!agent("Fern").is_called("fern_456789aa"));
        assert!(!agent("Fern").is_called("fern"));
    }
}
