//! The rows of people.

use super::rules::PersonName;
use crate::Hub;
use crate::access::{Via, Viewer};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::Row;
use protocol::view::{Me, Role};
use sqlx::{Any, AnyConnection, Executor, Row as _};

impl Hub {
    /// The person that the command line acts for.
    pub async fn viewer_named(&self, login: &str) -> Result<Option<Viewer>> {
        let row = sqlx::query("SELECT id, name, role FROM users WHERE login = $1 AND disabled = 0")
            .bind(login.trim().to_lowercase())
            .fetch_optional(self.store.read())
            .await?;
        row.map(|row| Ok(Viewer { me: me(&row)?, via: Via::Terminal })).transpose()
    }
}

/// Reads `id`, `name` and `role`.
pub(super) fn me(row: &Row) -> Result<Me> {
    let role = match row.try_get::<String, _>("role")?.as_str() {
        "admin" => Role::Admin,
        "member" => Role::Member,
        other => return Err(Error::internal(format!("a person's role is {other:?}"))),
    };
    Ok(Me { id: row.try_get::<String, _>("id")?.into(), name: row.try_get("name")?, role })
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
    let role_name = match role {
        Role::Admin => "admin",
        Role::Member => "member",
    };
    sqlx::query("INSERT INTO users (id, name, login, password_hash, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)")
        .bind(&id)
        .bind(&name.shown)
        .bind(&name.login)
        .bind(password_hash)
        .bind(role_name)
        .bind(now)
        .execute(connection)
        .await
        .map_err(|error| match error.as_database_error() {
            Some(cause) if cause.is_unique_violation() => {
                Error::Conflict(format!("The name {} is taken. Choose another one.", name.shown))
            }
            _ => error.into(),
        })?;
    Ok(Me { id: id.into(), name: name.shown, role })
}
