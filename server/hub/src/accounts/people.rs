//! The rows of people.

use super::rules::{PersonName, looks_of};
use crate::access::{Via, Viewer, rights_of};
use crate::accounts::Accounts;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::store::{Connection, FromRow, Row, Store, Transaction, query};
use protocol::UserId;
use protocol::view::{Me, Role};
use sqlx::{Any, Executor};

impl Accounts<'_> {
    /// The person that the command line acts for.
    pub async fn viewer_named(self, login: &str) -> Result<Option<Viewer>> {
        let row =
            query("SELECT id, name, role FROM users WHERE login = $1 AND disabled = 0", (login_of(login),))
                .fetch_optional::<Row>(self.hub.store().read())
                .await?;
        row.map(|row| Ok(Viewer { me: Me::from_row(&row)?, via: Via::Terminal, address: None })).transpose()
    }
}

/// Whoever has this name, disabled or not.
pub(super) async fn named(executor: impl Executor<'_, Database = Any>, name: &str) -> Result<UserId> {
    query("SELECT id FROM users WHERE login = $1 AND role <> 'removed'", (login_of(name),))
        .fetch_optional(executor)
        .await?
        .ok_or_else(|| Error::invalid(format!("Nobody here is called {}.", name.trim())))
}

/// Empty: it is nobody's.
pub(super) fn login_of(name: &str) -> String {
    PersonName::parse(name).map(|name| name.login).unwrap_or_default()
}

/// Brings names that were compared in another spelling before into the one in which they are compared now.
/// Of two that are the same then the second keeps its own, and signs in when it has another name.
pub(crate) async fn respell(store: &Store) -> Result<()> {
    let mut tx = store.write().await?;
    let rows = query("SELECT id, name, login FROM users WHERE role <> 'removed' ORDER BY created_at", ())
        .fetch_all::<Row>(&mut *tx)
        .await?;
    for row in rows {
        let (id, login): (String, String) = (row.get("id")?, row.get("login")?);
        let spelled = login_of(&row.get::<String>("name")?);
        if spelled != login && !spelled.is_empty() {
            query(
                "UPDATE users SET login = $1 WHERE id = $2 AND NOT
             EXISTS (SELECT 1 FROM users WHERE login = $1)",
                (spelled, id),
            )
            .execute(&mut *tx)
            .await?;
        }
    }
    reckon_looks(&mut tx).await?;
    tx.commit().await?;
    Ok(())
}

/// Of names that a program of before has kept.
async fn reckon_looks(tx: &mut Transaction) -> Result<()> {
    let rows = query("SELECT id, name FROM users WHERE look IS NULL", ()).fetch_all::<Row>(&mut **tx).await?;
    for row in rows {
        let [look, login_look] = looks_of(&row.get::<String>("name")?);
        query(
            "UPDATE users SET look = $1, login_look = $2 WHERE id = $3",
            (look, login_look, row.get::<String>("id")?),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Reads `id`, `name` and `role`.
impl FromRow for Me {
    fn from_row(row: &Row) -> Result<Self> {
        let role = row.get("role")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            role,
            rights: rights_of(role),
            unread: None,
            disk: None,
            language: None,
            reports: Vec::new(),
        })
    }
}

pub(super) async fn anybody(executor: impl Executor<'_, Database = Any>) -> Result<bool> {
    query("SELECT id FROM users LIMIT 1", ()).exists(executor).await
}

pub(super) async fn insert(
    connection: &mut Connection,
    name: PersonName,
    password_hash: &str,
    role: Role,
    now: i64,
) -> Result<Me> {
    let [look, login_look] = looks_of(&name.shown);
    let alike = query(
        "SELECT name FROM users WHERE (look = $1 OR login_look = $2 OR look IS NULL) AND role <> 'removed'",
        (&look, &login_look),
    )
    .fetch_all::<Row>(&mut *connection)
    .await?;
    for row in alike {
        if name.looks_like(&row.get::<String>("name")?) {
            return Err(Error::Conflict(format!(
                "The name {} is taken, or looks like one that is. Choose another one.",
                name.shown
            )));
        }
    }
    let id = new_id();
    let inserted = query(
        "INSERT INTO users (id, name, login, password_hash, role, created_at, look, login_look)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (login) DO NOTHING",
        (&id, &name.shown, &name.login, password_hash, role, now, look, login_look),
    )
    .execute(connection)
    .await?;
    if inserted == 0 {
        return Err(Error::Conflict(format!("The name {} is taken. Choose another one.", name.shown)));
    }
    Ok(Me {
        id: id.into(),
        name: name.shown,
        role,
        rights: rights_of(role),
        unread: None,
        disk: None,
        language: None,
        reports: Vec::new(),
    })
}

/// The person, whose row nobody else changes until the transaction ends.
pub(super) async fn lock(tx: &mut Transaction, person: &UserId) -> Result<Me> {
    query(
        "UPDATE users SET role = role WHERE id = $1 AND role <> 'removed' RETURNING id, name, role",
        (person,),
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or(Error::NotFound("person"))
}

/// A row that stands for somebody who was removed, with the id that is given back: nobody can sign in
/// as it, and it has nothing but what they spent.
pub(super) async fn insert_removed(connection: &mut Connection, now: i64) -> Result<String> {
    let id = new_id();
    // A name has no control character, so this is nobody's.
    let login = format!("\u{1}{id}");
    query(
        "INSERT INTO users (id, name, login, password_hash, role, disabled, created_at, look, login_look)
         VALUES ($1, 'A removed person', $2, '', 'removed', 1, $3, '', '')",
        (&id, login, now),
    )
    .execute(connection)
    .await?;
    Ok(id)
}
