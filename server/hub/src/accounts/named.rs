//! Naming another person: by the exact name of their account, of which there is no list. So that nobody makes one by
//! trying, names that lead to nobody are counted.

use super::attempts::Counter;
use super::rules::PersonName;
use crate::accounts::OwnAccount;
use crate::error::{Error, Result};
use crate::store::{FromRow, Row, query};
use protocol::UserId;

/// Somebody else who may sign in.
#[derive(Clone, Debug)]
pub(crate) struct NamedPerson {
    pub(crate) id: UserId,
    pub(crate) name: String,
}

impl OwnAccount<'_> {
    /// A name that nobody has and one whose person may not sign in get the same answer.
    pub(crate) async fn person_named(self, name: &str) -> Result<NamedPerson> {
        let login = PersonName::parse(name)?.login;
        let hub = self.scoped.hub;
        let attempt =
            hub.accounts().count_attempt(vec![Counter::Person(self.scoped.owner().to_owned())]).await?;
        let found: NamedPerson = query(
            "SELECT id, name FROM users WHERE login = $1 AND disabled = 0 AND role <> 'removed'",
            (login,),
        )
        .fetch_optional(hub.store().read())
        .await?
        .ok_or_else(|| {
            Error::invalid(
                "Nobody here can be named like this. Write the name of their account exactly, as they sign in with it.",
            )
        })?;
        let mut tx = hub.store().write().await?;
        attempt.give_back(&mut tx).await?;
        tx.commit().await?;
        if found.id == self.scoped.viewer.me.id {
            return Err(Error::invalid("This is your own name. Write that of somebody else."));
        }
        Ok(found)
    }
}

impl FromRow for NamedPerson {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("id")?, name: row.get("name")? })
    }
}
