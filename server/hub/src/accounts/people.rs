//! The rows of people.

use super::rules::PersonName;
use crate::Hub;
use crate::access::{Via, Viewer, rights_of};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Row, Transaction};
use protocol::UserId;
use protocol::view::{Me, Role};
use sqlx::{Any, AnyConnection, Executor, Row as _};

impl Hub {
    /// The person that the command line acts for.
    pub async fn viewer_named(&self, login: &str) -> Result<Option<Viewer>> {
        let row = sqlx::query("SELECT id, name, role FROM users WHERE login = $1 AND disabled = 0")
            .bind(login.trim().to_lowercase())
            .fetch_optional(self.store.read())
            .await?;
        row.map(|row| Ok(Viewer { me: me(&row)?, via: Via::Terminal, address: None })).transpose()
    }
}

/// Whoever has this name, disabled or not.
pub(super) async fn named(executor: impl Executor<'_, Database = Any>, name: &str) -> Result<UserId> {
    let row = sqlx::query("SELECT id FROM users WHERE login = $1 AND role <> 'removed'")
        .bind(name.trim().to_lowercase())
        .fetch_optional(executor)
        .await?
        .ok_or_else(|| Error::invalid(format!("Nobody here is called {}.", name.trim())))?;
    Ok(UserId(row.try_get("id")?))
}

/// Reads `id`, `name` and `role`.
pub(super) fn me(row: &Row) -> Result<Me> {
    let role = match row.try_get::<String, _>("role")?.as_str() {
        "admin" => Role::Admin,
        "member" => Role::Member,
        "guest" => Role::Guest,
        other => return Err(Error::internal(format!("a person's role is {other:?}"))),
    };
    let id: String = row.try_get("id")?;
    Ok(Me { id: id.into(), name: row.try_get("name")?, role, rights: rights_of(role) })
}

pub(super) fn role_word(role: Role) -> &'static str {
    match role {
        Role::Admin => "admin",
        Role::Member => "member",
        Role::Guest => "guest",
    }
}

pub(super) async fn anybody(executor: impl Executor<'_, Database = Any>) -> Result<bool> {
    Ok(sqlx::query("SELECT id FROM users LIMIT 1").fetch_optional(executor).await?.is_some())
}

pub(super) async fn insert(
    connection: &mut AnyConnection,
    name: PersonName,
    password_hash: &str,
    role: Role,
    now: i64,
) -> Result<Me> {
    let id = new_id();
    sqlx::query("INSERT INTO users (id, name, login, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(&id)
        .bind(&name.shown)
        .bind(&name.login)
        .bind(password_hash)
        .bind(role_word(role))
        .bind(now)
        .execute(connection)
        .await
        .map_err(|error| match error.as_database_error() {
            Some(cause) if cause.is_unique_violation() => {
                Error::Conflict(format!("The name {} is taken. Choose another one.", name.shown))
            }
            _ => error.into(),
        })?;
    Ok(Me { id: id.into(), name: name.shown, role, rights: rights_of(role) })
}

/// The person, whose row nobody else changes until the transaction ends.
pub(super) async fn lock(tx: &mut Transaction, person: &UserId) -> Result<Me> {
    let row = sqlx::query(
        "UPDATE users SET role = role WHERE id = $1 AND role <> 'removed' RETURNING id, name, role",
    )
    .bind(&person.0)
    .fetch_optional(&mut **tx)
    .await?
    .ok_or(Error::NotFound("person"))?;
    me(&row)
}

/// A row that stands for somebody who was removed, with the id that is given back: nobody can sign in
/// as it, and it has nothing but what they spent.
pub(super) async fn insert_removed(connection: &mut AnyConnection, now: i64) -> Result<String> {
    let id = new_id();
    // A name has no control character, so this is nobody's.
    let login = format!("\u{1}{id}");
    sqlx::query(
        "INSERT INTO users (id, name, login, password_hash, role, disabled, created_at)
         VALUES ($1, 'A removed person', $2, '', 'removed', 1, $3)",
    )
    .bind(&id)
    .bind(login)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(id)
}
