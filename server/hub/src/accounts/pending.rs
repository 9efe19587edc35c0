//! A sign-in between the password and the code: a browser that brought the right password carries a
//! secret for some minutes, which opens nothing without the code and is good once.

use super::secrets::stored;
use crate::accounts::Accounts;
use crate::clock::{latest_end, new_secret};
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, Transaction, query};
use protocol::view::Me;
use std::fmt;

/// How long the code may take: five minutes.
pub const PENDING_SECONDS: i64 = 5 * 60;

/// The password was right, and a code is owed. The secret goes into a cookie and is kept nowhere else.
pub struct PendingSignIn {
    pub secret: String,
}

/// Whose sign-in it is.
pub(super) struct Pending {
    pub(super) me: Me,
    pub(super) login: String,
}

impl fmt::Debug for PendingSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingSignIn").finish_non_exhaustive()
    }
}

impl Accounts<'_> {
    /// The name of the person whose code is owed; nobody's if the step is over.
    pub async fn pending_name(self, secret: &str) -> Result<Option<String>> {
        Ok(self.pending(secret).await?.map(|pending| pending.me.name))
    }

    pub(super) async fn pending(self, secret: &str) -> Result<Option<Pending>> {
        let row = query(
            "SELECT users.id, users.name, users.role, users.login
             FROM pending_sign_ins JOIN users ON users.id = pending_sign_ins.user_id
             WHERE pending_sign_ins.secret_hash = $1 AND pending_sign_ins.expires_at > $2
               AND pending_sign_ins.expires_at <= $3 AND users.disabled = 0",
            (stored(secret), self.hub.now(), latest_end(PENDING_SECONDS * 1000, self.hub.now())),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        row.map(|row| Ok(Pending { me: Me::from_row(&row)?, login: row.get("login")? })).transpose()
    }
}

/// Begins one, and forgets those that took too long.
pub(super) async fn begin(tx: &mut Transaction, user: &str, now: i64) -> Result<PendingSignIn> {
    query("DELETE FROM pending_sign_ins WHERE expires_at <= $1", (now,)).execute(&mut **tx).await?;
    let secret = new_secret();
    query(
        "INSERT INTO pending_sign_ins (secret_hash, user_id, expires_at) VALUES ($1, $2, $3)",
        (stored(&secret), user, now + PENDING_SECONDS * 1000),
    )
    .execute(&mut **tx)
    .await?;
    Ok(PendingSignIn { secret })
}

/// Of two who come with the same secret one gets on.
pub(super) async fn end(tx: &mut Transaction, secret: &str, now: i64) -> Result<()> {
    let ended = query(
        "DELETE FROM pending_sign_ins WHERE secret_hash = $1 AND expires_at > $2",
        (stored(secret), now),
    )
    .execute(&mut **tx)
    .await?;
    if ended == 0 { Err(over()) } else { Ok(()) }
}

/// What the password of then has begun must not be finished: it is another one now, or the person may
/// not come in.
pub(super) async fn forget(tx: &mut Transaction, user: &str) -> Result<()> {
    query("DELETE FROM pending_sign_ins WHERE user_id = $1", (user,)).execute(&mut **tx).await?;
    Ok(())
}

pub(super) fn over() -> Error {
    Error::invalid("This took too long, or was finished already. Enter your name and password again.")
}
