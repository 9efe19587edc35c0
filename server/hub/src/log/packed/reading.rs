//! Reading what stays packed: for a search, which opens nothing, and for whoever opens a conversation where its rows cannot
//! be written.

use super::{PACKED, Packed, PackedEntry, bring_back_sound, whole};
use crate::error::{Error, Result};
use crate::store::{Store, query};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::log::Entry;
use protocol::{AgentId, ConversationId};

/// What there is where no rows were found.
pub(crate) enum Found {
    /// It never was packed, and what was not found is not there.
    Nothing,
    /// Rows, which are to be read again.
    Rows,
    /// The rows cannot be written at the moment, and these are what they would be.
    Packed(ReadPiece),
}

/// The entries of a conversation that stays packed, oldest first.
pub(crate) struct ReadPiece {
    agent: AgentId,
    pub(crate) entries: Vec<PackedEntry>,
}

impl ReadPiece {
    /// As an entry of this conversation, which has a part of it or is it.
    pub(crate) fn entry(&self, packed: &PackedEntry, conversation: &ConversationId) -> Result<Entry> {
        Ok(Entry {
            agent: self.agent.clone(),
            seq: u64::try_from(packed.seq).map_err(Error::internal)?,
            at: packed.at,
            conversation: Some(conversation.clone()),
            run: packed.run.clone(),
            body: serde_json::from_str(&packed.body)?,
        })
    }
}

/// Unpacks the conversation for whoever only reads it: where nothing can be written, on a full disk say, it is read as it
/// is packed.
pub(crate) fn find<'a>(store: &'a Store, conversation: &'a ConversationId) -> BoxFuture<'a, Result<Found>> {
    async move {
        let error = match bring_back_sound(store, conversation).await {
            Ok((true, damaged)) => return whole(damaged).map(|()| Found::Rows),
            Ok((false, _)) => return Ok(Found::Nothing),
            Err(error) => error,
        };
        read_instead(store, conversation, error).await.map(Found::Packed)
    }
    .boxed()
}

/// The conversation as it is packed, since its rows could not be written because of this.
pub(super) fn read_instead<'a>(
    store: &'a Store,
    conversation: &'a ConversationId,
    error: Error,
) -> BoxFuture<'a, Result<ReadPiece>> {
    async move {
        let Some(piece) = read_piece(store, conversation).await? else { return Err(error) };
        tracing::warn!(
            conversation.id = %conversation, error = ?error,
            "conversation {conversation} is read and stays packed"
        );
        Ok(piece)
    }
    .boxed()
}

/// The entries of one that stays packed, oldest first. `None`: it is not packed.
pub(crate) async fn read(store: &Store, conversation: &ConversationId) -> Result<Option<Vec<PackedEntry>>> {
    Ok(read_piece(store, conversation).await?.map(|piece| piece.entries))
}

async fn read_piece(store: &Store, conversation: &ConversationId) -> Result<Option<ReadPiece>> {
    let packed = query([PACKED, "WHERE conversation_id = $1"], (conversation,))
        .fetch_optional::<Packed>(store.read())
        .await?;
    let Some(packed) = packed else { return Ok(None) };
    match packed.opened().await? {
        (Packed { agent, .. }, Some(entries)) => Ok(Some(ReadPiece { agent, entries })),
        (_, None) => Err(Error::internal("a packed conversation is not what was packed")),
    }
}

/// The newest entry with errors of the agent's page that is packed and came after `after`. What is damaged is left out.
pub(crate) async fn newest_page_errors(
    store: &Store,
    agent: &AgentId,
    after: i64,
) -> Result<Option<PackedEntry>> {
    let newest: Option<(ConversationId, i64)> = query(
        "SELECT conversation_id, page_errors FROM packed_conversations
         WHERE agent_id = $1 AND page_errors > $2 ORDER BY page_errors DESC LIMIT 1",
        (agent, after),
    )
    .fetch_optional(store.read())
    .await?;
    let Some((conversation, seq)) = newest else { return Ok(None) };
    match read(store, &conversation).await {
        Ok(entries) => Ok(entries.unwrap_or_default().into_iter().find(|entry| entry.seq == seq)),
        Err(error) if error.is_database_away() => Err(error),
        Err(error) => {
            tracing::warn!(conversation.id = %conversation, error = ?error, "errors of a page are left out");
            Ok(None)
        }
    }
}
