//! Skills that an MCP server of a person's has. Its files are held against what it announced.

use super::archive::told;
use super::bring::Looked;
use super::index::check_digest;
use super::take_in::Material;
use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::skills::OwnSkills;
use protocol::McpServerId;
use protocol::view::{BroughtSkill, FoundSkill, FoundSkills, SkillSource};
use std::collections::BTreeMap;

impl OwnSkills<'_> {
    /// Takes in the skill of this server whose `SKILL.md` has this address there. Without an address none is taken:
    /// what it has is told.
    pub async fn bring_from_server(self, server: &McpServerId, uri: &str) -> Result<BroughtSkill> {
        let name = self.scoped.mcp_servers().read(server).await?.server.name;
        self.bring_from(SkillSource::McpServer { server: server.clone(), name, uri: uri.to_owned() }).await
    }

    pub(super) async fn look_in(self, server: &McpServerId, name: &str, uri: &str) -> Result<Looked> {
        if !uri.is_empty() {
            return self.files_of(server, uri).await;
        }
        let skills = self.scoped.mcp_servers().skills(server).await?;
        let found = skills.into_iter().map(|skill| FoundSkill {
            name: told(&skill.name),
            description: told(&skill.description),
            within: skill.uri,
        });
        let skills = found.collect();
        let source =
            SkillSource::McpServer { server: server.clone(), name: name.to_owned(), uri: String::new() };
        Ok(Looked::Several(FoundSkills { source, skills }))
    }

    async fn files_of(self, server: &McpServerId, uri: &str) -> Result<Looked> {
        let mut files = BTreeMap::new();
        for file in self.scoped.mcp_servers().skill_files(server, uri).await? {
            FilePath::check(&file.path)?;
            check_digest(file.digest.as_deref(), &file.bytes)?;
            if files.insert(file.path.clone(), file.bytes).is_some() {
                return Err(Error::Upstream(format!("It names {} twice.", file.path)));
            }
        }
        Ok(Looked::One(Material::Files(files)))
    }
}
