//! Browsers from which somebody signed in before. They keep a secret that outlives the session and
//! opens nothing: it only gives their attempts to sign in a count of their own.

use super::secrets::stored;
use crate::accounts::Accounts;
use crate::clock::new_secret;
use crate::error::Result;
use crate::store::{Transaction, query};

/// How long a browser is known after the last sign-in: half a year.
pub const TRUSTED_BROWSER_SECONDS: i64 = 180 * 24 * 60 * 60;

impl Accounts<'_> {
    /// Whether somebody with this login name signed in from the browser with this secret.
    pub(super) async fn is_known(self, secret: &str, login: &str) -> Result<bool> {
        query(
            "SELECT 1 FROM known_browsers JOIN users ON users.id = known_browsers.user_id
             WHERE known_browsers.secret_hash = $1 AND users.login = $2 AND known_browsers.last_at > $3",
            (stored(secret), login, self.hub.now() - TRUSTED_BROWSER_SECONDS * 1000),
        )
        .exists(self.hub.store().read())
        .await
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
    query("DELETE FROM known_browsers WHERE last_at <= $1", (now - TRUSTED_BROWSER_SECONDS * 1000,))
        .execute(&mut **tx)
        .await?;
    if let Some(before) = before {
        query(
            "UPDATE known_browsers SET secret_hash = $1 WHERE secret_hash = $2",
            (stored(&secret), stored(before)),
        )
        .execute(&mut **tx)
        .await?;
    }
    query(
        "INSERT INTO known_browsers (secret_hash, user_id, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (secret_hash, user_id) DO UPDATE SET last_at = excluded.last_at",
        (stored(&secret), user, now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(secret)
}
