//! What of a file its agent read last in a conversation, by its digest: only that may it change.

use super::FilePlace;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::ConversationId;
use sqlx::{Any, Executor};

/// Files of devices that are remembered of a conversation.
const REMEMBERED: i64 = 500;

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

/// The same of a file on a device, by its whole path. A device has as many as it likes, so the oldest are forgotten.
pub(crate) async fn note_device_read(
    tx: &mut Transaction,
    conversation: &ConversationId,
    path: &str,
    digest: &str,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO device_file_reads (conversation_id, path, digest, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (conversation_id, path) DO UPDATE SET digest = excluded.digest, at = excluded.at",
        (conversation, path, digest, now),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM device_file_reads WHERE conversation_id = $1 AND at <
             (SELECT r.at FROM device_file_reads r WHERE r.conversation_id = $1 ORDER BY r.at DESC LIMIT 1 OFFSET $2)",
        (conversation, REMEMBERED),
    )
    .execute(&mut **tx)
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
