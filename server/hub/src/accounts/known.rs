//! Browsers from which somebody signed in before. They keep a secret that outlives the session and
//! opens nothing: it only gives their attempts to sign in a count of their own.

use super::secrets::stored;
use crate::Hub;
use crate::clock::new_secret;
use crate::error::Result;
use crate::store::Transaction;

/// How long a browser is known after the last sign-in: half a year.
pub const KNOWN_SECONDS: i64 = 180 * 24 * 60 * 60;

impl Hub {
    /// Whether somebody with this login name signed in from the browser with this secret.
    pub(super) async fn is_known(&self, secret: &str, login: &str) -> Result<bool> {
        let row = sqlx::query(
            "SELECT 1 FROM known_browsers JOIN users ON users.id = known_browsers.user_id
             WHERE known_browsers.secret_hash = $1 AND users.login = $2 AND known_browsers.last_at > $3",
        )
        .bind(stored(secret))
        .bind(login)
        .bind(self.now() - KNOWN_SECONDS * 1000)
        .fetch_optional(self.store.read())
        .await?;
        Ok(row.is_some())
    }
}

/// Remembers the browser for this person, under a new secret, which it is to keep in place of the one
/// that it came with. Others who signed in from it stay known there.
pub(super) async fn remember(
    tx: &mut Transaction,
    user: &str,
    before: Option<&str>,
    now: i64,
) -> Result<String> {
    let secret = new_secret();
    sqlx::query("DELETE FROM known_browsers WHERE last_at <= $1")
        .bind(now - KNOWN_SECONDS * 1000)
        .execute(&mut **tx)
        .await?;
    if let Some(before) = before {
        sqlx::query("UPDATE known_browsers SET secret_hash = $1 WHERE secret_hash = $2")
            .bind(stored(&secret))
            .bind(stored(before))
            .execute(&mut **tx)
            .await?;
    }
    sqlx::query(
        "INSERT INTO known_browsers (secret_hash, user_id, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (secret_hash, user_id) DO UPDATE SET last_at = excluded.last_at",
    )
    .bind(stored(&secret))
    .bind(user)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(secret)
}
