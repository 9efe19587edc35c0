//! What is in a file, what of it can be brought in, and what came of it: read from what is here, so that it is true
//! whatever went wrong.

use super::conversation::{Conversation, LeftOut};
use super::export::Export;
use crate::conversations::title_of_elsewhere;
use crate::error::Result;
use crate::imports::OwnImports;
use crate::store::{FromRow, Row, query};
use protocol::import::{ImportReview, ImportSource, ImportedConversation, OfferedConversation};
use protocol::{AgentId, ConversationId};
use std::collections::HashMap;

/// Conversations that are offered at a time, and that are shown as brought in.
const LISTED: usize = 500;

/// A conversation that was brought in, whatever file it was in.
struct Known {
    source_id: String,
    upload: String,
    conversation: ConversationId,
    title: String,
    is_deleted: bool,
    agent: AgentId,
    agent_name: String,
}

impl OwnImports<'_> {
    /// What is in a file that was sent in. Nothing is brought in yet.
    pub async fn review(self, upload: &str) -> Result<ImportReview> {
        let (name, Export { source, conversations, notices }) = self.open(upload).await?;
        let known = self.known(source).await?;
        let mut review = ImportReview {
            upload: upload.to_owned(),
            name,
            source,
            total: number(conversations.len()),
            messages: conversations.iter().map(|conversation| number(conversation.messages())).sum(),
            offered: Vec::new(),
            more: 0,
            imported: Vec::new(),
            known: 0,
            left_out: LeftOut::of_all(&conversations).sentences(),
            notices,
        };
        for (place, conversation) in conversations.iter().enumerate() {
            match known.get(&conversation.id) {
                None if review.offered.len() < LISTED => review.offered.push(offered(place, conversation)),
                None => review.more += 1,
                Some(known) if known.upload == upload && review.imported.len() < LISTED => {
                    review.imported.push(imported(known, conversation));
                }
                Some(_) => review.known += 1,
            }
        }
        Ok(review)
    }

    /// What was brought in from this product, by its ids there.
    async fn known(self, source: ImportSource) -> Result<HashMap<String, Known>> {
        let known: Vec<Known> = query(
            "SELECT i.source_id, i.upload_id, c.id, c.title, c.deleted_at, c.agent_id, a.name
             FROM imported_conversations i JOIN conversations c ON c.id = i.conversation_id
             JOIN agents a ON a.id = c.agent_id
             WHERE i.user_id = $1 AND i.source = $2 AND a.user_id = $1",
            (self.scoped.owner(), source),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        Ok(known.into_iter().map(|known| (known.source_id.clone(), known)).collect())
    }
}

fn offered(place: usize, conversation: &Conversation) -> OfferedConversation {
    OfferedConversation {
        number: number(place),
        title: title_of_elsewhere(&conversation.title, &conversation.turns[0].text),
        said_at: conversation.said_at(),
        messages: number(conversation.messages()),
        left_out: conversation.left_out.sentences(),
    }
}

fn imported(known: &Known, conversation: &Conversation) -> ImportedConversation {
    ImportedConversation {
        conversation: known.conversation.clone(),
        agent: known.agent.clone(),
        agent_name: known.agent_name.clone(),
        title: known.title.clone(),
        messages: number(conversation.messages()),
        left_out: conversation.left_out.sentences(),
        deleted: known.is_deleted,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl FromRow for Known {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            source_id: row.get("source_id")?,
            upload: row.get("upload_id")?,
            conversation: row.get("id")?,
            title: row.get("title")?,
            is_deleted: row.get::<Option<i64>>("deleted_at")?.is_some(),
            agent: row.get("agent_id")?,
            agent_name: row.get("name")?,
        })
    }
}
