//! The settings of the whole hub that concern accounts.

use crate::error::{Error, Result};
use protocol::view::SignUpMode;
use sqlx::{Any, AnyConnection, Executor, Row};

pub(super) const SETUP_CODE: &str = "setup_code";
const SIGN_UP: &str = "sign_up";
/// Holds nothing: who changes whether somebody is an administrator takes its row.
pub(super) const ADMINS: &str = "admins";

pub(super) async fn sign_up_mode(executor: impl Executor<'_, Database = Any>) -> Result<SignUpMode> {
    let row = sqlx::query("SELECT value FROM settings WHERE key = $1")
        .bind(SIGN_UP)
        .fetch_optional(executor)
        .await?;
    let Some(row) = row else { return Ok(SignUpMode::Invite) };
    match row.try_get::<String, _>("value")?.as_str() {
        "invite" => Ok(SignUpMode::Invite),
        "open" => Ok(SignUpMode::Open),
        "closed" => Ok(SignUpMode::Closed),
        other => Err(Error::internal(format!("the sign_up setting is {other:?}"))),
    }
}

pub(super) async fn set_sign_up_mode(connection: &mut AnyConnection, mode: SignUpMode) -> Result<()> {
    put(connection, SIGN_UP, word(mode)).await
}

pub(super) fn word(mode: SignUpMode) -> &'static str {
    match mode {
        SignUpMode::Invite => "invite",
        SignUpMode::Open => "open",
        SignUpMode::Closed => "closed",
    }
}

pub(super) async fn put(connection: &mut AnyConnection, key: &str, value: &str) -> Result<()> {
    sqlx::query("INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(key)
        .bind(value)
        .execute(connection)
        .await?;
    Ok(())
}
