//! The settings of the whole hub that concern accounts.

use crate::error::Result;
use crate::store::{Connection, name_of, query};
use protocol::view::SignUpMode;
use sqlx::{Any, Executor};

pub(super) const SETUP_CODE: &str = "setup_code";
const SIGN_UP: &str = "sign_up";
/// Holds nothing: who changes whether somebody is an administrator takes its row.
pub(super) const ADMINS: &str = "admins";

pub(super) async fn sign_up_mode(executor: impl Executor<'_, Database = Any>) -> Result<SignUpMode> {
    let mode =
        query("SELECT value FROM settings WHERE key = $1", (SIGN_UP,)).fetch_optional(executor).await?;
    Ok(mode.unwrap_or(SignUpMode::Invite))
}

pub(super) async fn set_sign_up_mode(connection: &mut Connection, mode: SignUpMode) -> Result<()> {
    put(connection, SIGN_UP, &name_of(&mode)?).await
}

/// Sets one of the settings of the whole hub.
pub(crate) async fn put(connection: &mut Connection, key: &str, value: &str) -> Result<()> {
    query(
        "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE
         SET value = excluded.value",
        (key, value),
    )
    .execute(connection)
    .await?;
    Ok(())
}
