//! What the hub lets go of in passing, when somebody next does the like: of people who come no more it stays.

use super::Result;
use sqlx::AnyConnection;

/// What is over, by table.
const OVER: [(&str, &str); 9] = [
    ("SELECT COUNT(*) FROM devices WHERE expires_at <= $1", "DELETE FROM devices WHERE expires_at <= $1"),
    ("SELECT COUNT(*) FROM invites WHERE expires_at <= $1", "DELETE FROM invites WHERE expires_at <= $1"),
    (
        "SELECT COUNT(*) FROM password_resets WHERE expires_at <= $1",
        "DELETE FROM password_resets WHERE expires_at <= $1",
    ),
    (
        "SELECT COUNT(*) FROM pending_sign_ins WHERE expires_at <= $1",
        "DELETE FROM pending_sign_ins WHERE expires_at <= $1",
    ),
    (
        "SELECT COUNT(*) FROM oauth_grants WHERE token_id IS NULL AND code_ends_at <= $1",
        "DELETE FROM oauth_grants WHERE token_id IS NULL AND code_ends_at <= $1",
    ),
    (
        "SELECT COUNT(*) FROM used_challenges WHERE expires_at <= $1",
        "DELETE FROM used_challenges WHERE expires_at <= $1",
    ),
    (
        "SELECT COUNT(*) FROM archive_uploads WHERE at <= $1 - 86400000",
        "DELETE FROM archive_uploads WHERE at <= $1 - 86400000",
    ),
    (
        "SELECT COUNT(*) FROM import_uploads WHERE at <= $1 - 86400000",
        "DELETE FROM import_uploads WHERE at <= $1 - 86400000",
    ),
    (
        "SELECT COUNT(*) FROM attachments WHERE at <= $1 - 86400000 AND NOT EXISTS (
             SELECT 1 FROM agent_attachments u WHERE u.attachment_id = attachments.id)
         AND NOT EXISTS (
             SELECT 1 FROM draft_files d WHERE d.user_id = attachments.user_id AND d.attachment_id = attachments.id)",
        "DELETE FROM attachments WHERE at <= $1 - 86400000 AND NOT EXISTS (
             SELECT 1 FROM agent_attachments u WHERE u.attachment_id = attachments.id)
         AND NOT EXISTS (
             SELECT 1 FROM draft_files d WHERE d.user_id = attachments.user_id AND d.attachment_id = attachments.id)",
    ),
];

pub(super) async fn count(connection: &mut AnyConnection, now: i64) -> Result<i64> {
    let mut rows = 0;
    for (counted, _) in OVER {
        rows += sqlx::query_scalar::<_, i64>(counted).bind(now).fetch_one(&mut *connection).await?;
    }
    Ok(rows)
}

pub(super) async fn mend(connection: &mut AnyConnection, now: i64) -> Result<()> {
    for (_, removed) in OVER {
        sqlx::query(removed).bind(now).execute(&mut *connection).await?;
    }
    Ok(())
}
