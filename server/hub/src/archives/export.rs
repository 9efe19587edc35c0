//! An agent as an archive. Its provider and key are not in there, nor what was said.

use super::content::Content;
use super::manifest::{Config, Manifest, Own};
use super::storage::Kept;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::files::{self, FilePath};
use protocol::AgentId;
use protocol::view::AgentView;
use serde_json::json;

/// An archive on its way to a person.
#[derive(Debug)]
pub struct Export {
    pub file_name: String,
    pub bytes: Vec<u8>,
}

impl Scoped<'_> {
    pub async fn export_agent(&self, id: &AgentId) -> Result<Export> {
        let agent = self.agent(id).await?;
        let store = self.hub.store.read();
        let mut files = Vec::new();
        for (path, bytes) in files::all(store, id).await? {
            files.push((FilePath::check(&path)?, bytes));
        }
        let content = Content {
            page: self.skin(id).await?.map(|skin| skin.page),
            kept: Kept {
                state: self.hub.state_of(id).await?,
                storage: self.hub.storage_list(id).await?,
                rules: 0,
            },
            files: files.into_iter().collect(),
            schedules: self.hub.archived_schedules(id).await?,
            strays: Vec::new(),
            manifest: manifest_of(&agent),
        };
        let (file_name, now) = (file_name(&agent.name), self.hub.now());
        let bytes =
            tokio::task::spawn_blocking(move || content.write(now)).await.map_err(Error::internal)??;
        Ok(Export { file_name, bytes })
    }
}

fn manifest_of(agent: &AgentView) -> Manifest {
    Manifest {
        name: agent.name.clone(),
        version: json!("1.0.0"),
        description: Some(String::new()),
        config: Config {
            system_prompt: Some(agent.instructions.clone()),
            model: Some(agent.model.clone()).filter(|model| !model.is_empty()),
            max_tokens: Some(agent.max_output_tokens.into()),
            tools: Some(agent.tools.clone()),
            ..Config::default()
        },
        vivarium: Some(Own {
            colour: agent.colour.clone(),
            home: agent.home,
            r#loop: agent.loop_settings.clone(),
        }),
        ..Manifest::default()
    }
}

/// The agent's name as far as every file system takes it.
fn file_name(name: &str) -> String {
    let safe: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ') { c } else { '-' })
        .collect();
    let safe = safe.trim();
    format!("{}.flo.zip", if safe.is_empty() { "agent" } else { safe })
}
