//! Keys that a person and their agents note.

use super::agents::switches_of;
use super::{Contexts, OwnContext, lock};
use crate::error::{Error, Result};
use crate::marks;
use crate::skills;
use crate::store::{FromRow, Row, Transaction, query};
use agent::tools::{LONGEST_KEY, LONGEST_KEY_VALUE};
use protocol::hub::Noun;
use protocol::view::ContextKey;
use protocol::{AgentId, ContextSource, UserId};
use sqlx::{Any, Executor};

/// Keys of a person, and bytes of all their names and values.
const MOST_KEYS: usize = 20;
const MOST_BYTES: usize = 4_000;

const KEYS: &str = "SELECT k.name, k.value, k.writer_id, a.name AS writer_name, k.untrusted, k.changed_at
    FROM context_keys k LEFT JOIN agents a ON a.id = k.writer_id WHERE k.user_id = $1 ORDER BY k.name";

impl FromRow for ContextKey {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            name: row.get("name")?,
            value: row.get("value")?,
            writer: row.get("writer_id")?,
            writer_name: row.get("writer_name")?,
            untrusted: row.get::<i64>("untrusted")? != 0,
            changed_at: row.get("changed_at")?,
        })
    }
}

/// By name.
pub(super) async fn all<'e>(
    executor: impl Executor<'e, Database = Any>,
    owner: &UserId,
) -> Result<Vec<ContextKey>> {
    query(KEYS, (owner,)).fetch_all(executor).await
}

/// What is to be noted, checked.
struct Note {
    name: String,
    value: String,
}

impl Note {
    fn new(name: &str, value: &str) -> Result<Self> {
        let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (name, value) = (on_one_line(name), on_one_line(value));
        if name.is_empty() {
            return Err(Error::invalid("Give the key a name."));
        }
        if name.chars().count() > LONGEST_KEY || value.chars().count() > LONGEST_KEY_VALUE {
            return Err(Error::Invalid(format!(
                "A key has a name of at most {LONGEST_KEY} characters and a value of at most {LONGEST_KEY_VALUE}. Say it shorter."
            )));
        }
        if name.chars().chain(value.chars()).any(char::is_control) {
            return Err(Error::invalid("A key has no control characters."));
        }
        Ok(Self { name, value })
    }

    fn bytes(&self) -> usize {
        self.name.len() + self.value.len()
    }
}

impl OwnContext<'_> {
    /// Notes the value under this name; an empty one removes it. Fails with [`Error::Limit`] where there are 20, or
    /// 4,000 bytes of them.
    pub async fn note(self, name: &str, value: &str) -> Result<()> {
        let note = Note::new(name, value)?;
        let mut tx = self.scoped.hub.store().write().await?;
        lock(&mut tx, &self.scoped.viewer.me.id).await?;
        let keys = all(&mut *tx, &self.scoped.viewer.me.id).await?;
        put(&mut tx, &self.scoped.viewer.me.id, &keys, &note, None, self.scoped.hub.now()).await?;
        tx.commit().await
    }
}

impl Contexts<'_> {
    /// The same by an agent, whose person has turned keys on and lets it see them. One that has read words of
    /// strangers leaves what nobody like it wrote.
    pub(crate) async fn note(self, owner: &UserId, agent: &AgentId, name: &str, value: &str) -> Result<()> {
        let note = Note::new(&skills::visible(name), &skills::visible(value))?;
        let is_on = self.sources(owner).await?.contains_key(&ContextSource::Keys);
        if !is_on || !switches_of(self.hub.store().read(), agent).await?.sees {
            return Err(Error::Forbidden(
                "Your person shares no keys of their context with you. They turn that on on the page Context.",
            ));
        }
        let untrusted = {
            let mut connection = self.hub.store().reader().await?;
            marks::of(&mut connection, agent).await?.untrusted
        };
        let mut tx = self.hub.store().write().await?;
        lock(&mut tx, owner).await?;
        let keys = all(&mut *tx, owner).await?;
        if untrusted && keys.iter().any(|key| key.name == note.name && !key.untrusted) {
            return Err(Error::Forbidden(
                "You have read words of strangers, so only your person changes this key: on the page Context. Another name is free.",
            ));
        }
        put(&mut tx, owner, &keys, &note, Some((agent, untrusted)), self.hub.now()).await?;
        tx.commit().await
    }
}

/// `writer` is an agent, and whether it had read words of strangers; else the person.
async fn put(
    tx: &mut Transaction,
    owner: &UserId,
    keys: &[ContextKey],
    note: &Note,
    writer: Option<(&AgentId, bool)>,
    now: i64,
) -> Result<()> {
    tx.changes(owner, Noun::PersonContext);
    if note.value.is_empty() {
        query("DELETE FROM context_keys WHERE user_id = $1 AND name = $2", (owner, &note.name))
            .execute(&mut **tx)
            .await?;
        return Ok(());
    }
    let others = keys.iter().filter(|key| key.name != note.name);
    let bytes: usize = others.clone().map(|key| key.name.len() + key.value.len()).sum();
    if others.count() >= MOST_KEYS || bytes + note.bytes() > MOST_BYTES {
        return Err(Error::Limit(format!(
            "There are at most {MOST_KEYS} keys, with {MOST_BYTES} bytes together. Remove some first: an empty value does."
        )));
    }
    let (writer, untrusted) = writer.map_or((None, false), |(agent, untrusted)| (Some(agent), untrusted));
    query(
        "INSERT INTO context_keys (user_id, name, value, writer_id, untrusted, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (user_id, name) DO UPDATE
         SET value = excluded.value, writer_id = excluded.writer_id, untrusted = excluded.untrusted,
             changed_at = excluded.changed_at",
        (owner, &note.name, &note.value, writer, i64::from(untrusted), now),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
