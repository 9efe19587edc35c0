//! An agent as an archive. Its provider and key are not in there, nor what was said.

use super::content::Content;
use super::manifest::{Config, Manifest, OwnFields};
use super::storage::AgentStorage;
use crate::archives::OwnArchives;
use crate::error::{Error, Result};
use crate::files::{self, FilePath};
use crate::policy;
use protocol::AgentId;
use protocol::view::{AgentView, CarriedRule};
use serde_json::json;

/// An archive on its way to a person.
#[derive(Debug)]
pub struct Export {
    pub file_name: String,
    pub bytes: Vec<u8>,
}

impl OwnArchives<'_> {
    pub async fn export(self, id: &AgentId) -> Result<Export> {
        let agent = self.scoped.agents().get(id).await?;
        let turn = self.archive_turn().await?;
        let store = self.scoped.hub.store().read();
        let mut files = Vec::new();
        let all = files::stats(store, &id.into(), None).await?;
        for part in files::parts(all, |stat| stat.size) {
            let paths: Vec<FilePath> =
                part.iter().map(|stat| FilePath::check(&stat.path)).collect::<Result<_>>()?;
            for (path, (bytes, _)) in files::contents(store, &id.into(), &paths).await? {
                files.push((FilePath::check(&path)?, bytes));
            }
        }
        let content = Content {
            page: self.scoped.skins().current(id).await?.map(|skin| skin.page),
            kept: AgentStorage {
                state: self.scoped.hub.states().read(id).await?,
                storage: self.scoped.hub.states().storage_list(id).await?,
                rules: self.scoped.hub.states().rules(id).await?,
                lost: Vec::new(),
            },
            files: files.into_iter().collect(),
            schedules: self.scoped.hub.schedules().archived_schedules(id).await?,
            tools: self.scoped.hub.made_tools().list(id).await?,
            manifest: manifest_of(&agent, policy::said_of(&self.scoped, id).await?),
            ..Content::default()
        };
        let (file_name, now) = (file_name(&agent.name), self.scoped.hub.now());
        let written = tokio::task::spawn_blocking(move || {
            let written = content.write(now);
            drop(turn);
            written
        });
        let bytes = written.await.map_err(Error::internal)??;
        Ok(Export { file_name, bytes })
    }
}

fn manifest_of(agent: &AgentView, rules: Vec<CarriedRule>) -> Manifest {
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
        vivarium: Some(OwnFields {
            colour: agent.colour.clone(),
            home: agent.home,
            r#loop: agent.loop_settings.clone(),
            network: agent.network.clone(),
            follows_robots: agent.follows_robots,
            rules,
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
