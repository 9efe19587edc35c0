//! An agent as an archive. Its provider and key are not in there, and what was said only where it is wanted.

use super::content::{CONVERSATIONS, Content};
use super::manifest::{Config, Manifest, OwnFields};
use super::storage::AgentStorage;
use crate::archives::OwnArchives;
use crate::conversations::ExportFormat;
use crate::error::{Error, Result};
use crate::fair_queue::Permit;
use crate::files::{self, FilePath};
use crate::policy;
use crate::store::query;
use crate::zip::{Entries, LARGEST_ENTRY};
use protocol::view::{AgentView, CarriedRule};
use protocol::{AgentId, ConversationId, UserId};
use serde_json::json;

/// Bytes of all conversations in an archive.
const MOST_SAID: usize = 40 * 1024 * 1024;

/// An archive on its way to a person.
#[derive(Debug)]
pub struct Export {
    pub file_name: String,
    pub bytes: Vec<u8>,
}

impl OwnArchives<'_> {
    pub async fn export(self, id: &AgentId) -> Result<Export> {
        let turn = self.archive_turn().await?;
        self.pack(id, Entries::new(), turn).await
    }

    /// The same with all that was said in its conversations, which whoever takes it in may leave out.
    pub async fn export_with_conversations(self, id: &AgentId) -> Result<Export> {
        self.scoped.require_agent(id).await?;
        let turn = self.archive_turn().await?;
        let conversations: Vec<ConversationId> = query(
            "SELECT c.id FROM conversations c
             WHERE c.agent_id = $1 AND c.temporary = 0 AND c.deleted_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.family = c.family AND o.place > c.place)
               AND (EXISTS (SELECT 1 FROM entries e WHERE e.conversation_id = c.id)
                    OR EXISTS (SELECT 1 FROM packed_conversations p WHERE p.conversation_id = c.id)
                    OR EXISTS (SELECT 1 FROM conversation_segments g WHERE g.conversation_id = c.id))
             ORDER BY c.place DESC",
            (id,),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        let (mut entries, mut left) = (Entries::new(), MOST_SAID);
        for (number, conversation) in conversations.iter().enumerate() {
            let mut export = self.scoped.conversations().export(conversation, ExportFormat::Json).await?;
            let mut text = String::new();
            while let Some(part) = export.next().await? {
                text.push_str(&part);
                if text.len() > LARGEST_ENTRY.min(left) {
                    return Err(Error::Limit(
                        "What was said with this agent is too much for an archive. Download it without its conversations, and these one by one."
                            .to_owned(),
                    ));
                }
            }
            left -= text.len();
            entries.insert(format!("{CONVERSATIONS}{number:04}.json"), text.into_bytes());
        }
        self.pack(id, entries, turn).await
    }

    async fn pack(self, id: &AgentId, conversations: Entries, turn: Permit<UserId>) -> Result<Export> {
        let agent = self.scoped.agents().get(id).await?;
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
            conversations,
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
