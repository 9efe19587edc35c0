//! What of a file its agent read last in a conversation, by its digest: only that may it change.

use super::FilePlace;
use crate::error::Result;
use crate::store::query;
use protocol::ConversationId;
use sqlx::{Any, Executor};

pub(crate) async fn note_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    place: &FilePlace,
    conversation: &ConversationId,
    digest: &str,
) -> Result<()> {
    query(
        "INSERT INTO file_reads (folder_id, conversation_id, path, digest) VALUES ($1, $2, $3, $4)
         ON CONFLICT (conversation_id, folder_id, path) DO UPDATE SET digest = excluded.digest",
        (&place.folder, conversation, place.path.as_str(), digest),
    )
    .execute(executor)
    .await?;
    Ok(())
}

/// The same of a file on a device, by its whole path.
pub(crate) async fn note_device_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    conversation: &ConversationId,
    path: &str,
    digest: &str,
) -> Result<()> {
    query(
        "INSERT INTO device_file_reads (conversation_id, path, digest) VALUES ($1, $2, $3)
         ON CONFLICT (conversation_id, path) DO UPDATE SET digest = excluded.digest",
        (conversation, path, digest),
    )
    .execute(executor)
    .await?;
    Ok(())
}

pub(crate) async fn last_device_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    conversation: &ConversationId,
    path: &str,
) -> Result<Option<String>> {
    query(
        "SELECT digest FROM device_file_reads WHERE conversation_id = $1 AND path = $2",
        (conversation, path),
    )
    .fetch_optional(executor)
    .await
}

pub(crate) async fn last_read<'e>(
    executor: impl Executor<'e, Database = Any>,
    place: &FilePlace,
    conversation: &ConversationId,
) -> Result<Option<String>> {
    query(
        "SELECT digest FROM file_reads WHERE folder_id = $1 AND conversation_id = $2 AND path = $3",
        (&place.folder, conversation, place.path.as_str()),
    )
    .fetch_optional(executor)
    .await
}
