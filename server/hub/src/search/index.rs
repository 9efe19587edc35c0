//! Reading logs for their words, from where they were read last.

use super::terms::index_terms;
use crate::Hub;
use crate::error::Result;
use crate::log::packed;
use crate::store::{Dialect, FromRow, Json, Row, Transaction, query};
use futures_util::TryStreamExt;
use protocol::log::{EntryBody, Sender};
use protocol::model::Block;
use protocol::{AgentId, ConversationId, UserId};
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// Entries read at a time, and bytes of them after which no more are: so long the one writer of SQLite is taken.
const PART: usize = 200;
const PART_BYTES: usize = 512 * 1024;
/// How long somebody who looks for something waits for what was not read yet.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// What is found of all logs.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchIndex<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(super) fn search_index(&self) -> SearchIndex<'_> {
        SearchIndex { hub: self }
    }
}

/// An agent whose log has entries that were not read.
struct Behind {
    agent: AgentId,
    seq: i64,
    last: i64,
}

struct Document {
    seq: i64,
    body: EntryBody,
    bytes: usize,
}

/// What an entry is found by.
struct Words {
    seq: i64,
    words: String,
    /// The packed conversation that it was read from, and when it was said.
    packed_in: Option<(ConversationId, i64)>,
}

impl SearchIndex<'_> {
    /// Reads what the owner's agents' logs have since. Gives whether that was all: else the rest is read by
    /// somebody else, and this is not waited for.
    pub(super) async fn catch_up(self, owner: &UserId) -> Result<bool> {
        if self.read(owner, Some(Instant::now() + PATIENCE)).await? {
            return Ok(true);
        }
        if self.hub.0.indexing.all().insert(owner.clone()) {
            let (hub, owner) = (self.hub.clone(), owner.clone());
            self.hub.tasks().spawn(async move {
                if let Err(error) = hub.search_index().read(&owner, None).await {
                    let failure = error.into_failure();
                    tracing::warn!(user.id = %owner, "conversations of {owner} cannot be searched whole: {failure}");
                }
                hub.0.indexing.all().remove(&owner);
            });
        }
        Ok(false)
    }

    pub(super) async fn read(self, owner: &UserId, until: Option<Instant>) -> Result<bool> {
        let behind: Vec<Behind> = query(
            "SELECT a.id, a.last_seq, COALESCE(p.seq, 0) AS seq FROM agents a
             LEFT JOIN search_progress p ON p.agent_id = a.id
             WHERE a.user_id = $1 AND a.last_seq > COALESCE(p.seq, 0) ORDER BY a.updated_at DESC",
            (owner,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for mut agent in behind {
            while agent.seq < agent.last {
                if until.is_some_and(|until| Instant::now() > until) || self.hub.tasks().is_closing() {
                    return Ok(false);
                }
                match self.read_part(owner, &agent).await? {
                    Some(seq) => agent.seq = seq,
                    // Somebody else reads it.
                    None => return Ok(false),
                }
            }
        }
        Ok(true)
    }

    /// Nothing for an entry that is gone meanwhile. Gives how far it was read; `None`: somebody else has read on.
    async fn read_part(self, owner: &UserId, behind: &Behind) -> Result<Option<i64>> {
        // Read before the rows: what is unpacked in between is missed by neither.
        let packed = packed::packed_between(self.hub.store(), &behind.agent, behind.seq, behind.last).await?;
        let mut rows = query(
            "SELECT seq, body FROM entries
             WHERE agent_id = $1 AND seq > $2 AND seq <= $3 AND kind IN ('message', 'block')
             ORDER BY seq LIMIT $4",
            (&behind.agent, behind.seq, behind.last, PART),
        )
        .fetch::<Document>(self.hub.store().read())?;
        let (mut documents, mut count, mut bytes, mut upto) = (Vec::new(), 0, 0, behind.last);
        while let Some(document) = rows.try_next().await? {
            count += 1;
            bytes += document.bytes;
            let seq = document.seq;
            if let Some(words) = words_of(owner, &document.body) {
                documents.push(Words { seq, words, packed_in: None });
            }
            // More may follow.
            if count == PART || bytes >= PART_BYTES {
                upto = seq;
                break;
            }
        }
        drop(rows);
        for (conversation, first) in &packed {
            if *first > upto {
                break;
            }
            // Enough for one commit. What is in this one is read next.
            if documents.len() >= PART && *first > behind.seq + 1 {
                upto = first - 1;
                documents.retain(|words| words.seq <= upto);
                break;
            }
            let entries = match packed::read(self.hub.store(), conversation).await {
                Ok(Some(entries)) => entries,
                // It is unpacked by now: the rows are read once more.
                Ok(None) => return Ok(Some(behind.seq)),
                Err(error) if error.is_database_away() => return Err(error),
                // Nothing is found in what is damaged, and all else is.
                Err(error) => {
                    tracing::warn!(conversation.id = %conversation, error = ?error, "no search finds what is in it");
                    continue;
                }
            };
            let new = entries.iter().filter(|entry| entry.seq > behind.seq && entry.seq <= upto);
            for entry in new.filter(|entry| matches!(entry.kind.as_str(), "message" | "block")) {
                if let Some(words) = words_of(owner, &serde_json::from_str(&entry.body)?) {
                    let packed_in = Some((conversation.clone(), entry.at));
                    documents.push(Words { seq: entry.seq, words, packed_in });
                }
            }
        }
        let mut tx = self.hub.store().write_uncached().await?;
        let moved = query(
            "INSERT INTO search_progress (agent_id, seq)
             SELECT id, CAST($3 AS BIGINT) FROM agents WHERE id = $1
             ON CONFLICT (agent_id) DO UPDATE SET seq = excluded.seq WHERE search_progress.seq = $2",
            (&behind.agent, behind.seq, upto),
        )
        .execute(&mut *tx)
        .await?;
        if moved == 0 {
            tx.rollback().await?;
            return Ok(None);
        }
        for words in documents {
            self.insert(&mut tx, &behind.agent, words).await?;
        }
        tx.commit().await?;
        Ok(Some(upto))
    }

    /// One that was read from a packed conversation may have its row again by now.
    async fn insert(self, tx: &mut Transaction, agent: &AgentId, found: Words) -> Result<()> {
        let Words { seq, words, packed_in } = found;
        let (packed_in, at) = packed_in.unzip();
        match self.hub.store().dialect() {
            Dialect::Sqlite => {
                query(
                    "INSERT INTO search_documents (agent_id, seq, at, packed_in, number)
                     SELECT agent_id, seq, at, NULL, (SELECT COALESCE(MAX(number), 0) + 1 FROM search_documents)
                     FROM entries WHERE agent_id = $1 AND seq = $2
                     UNION ALL
                     SELECT p.agent_id, $2, $4, p.conversation_id,
                            (SELECT COALESCE(MAX(number), 0) + 1 FROM search_documents)
                     FROM packed_conversations p WHERE p.conversation_id = $3",
                    (agent, seq, packed_in, at),
                )
                .execute(&mut **tx)
                .await?;
                query(
                    "INSERT INTO search_index (rowid, words)
                     SELECT number, $3 FROM search_documents WHERE agent_id = $1 AND seq = $2",
                    (agent, seq, words),
                )
                .execute(&mut **tx)
                .await?;
            }
            Dialect::Postgres => {
                query(
                    "INSERT INTO search_documents (agent_id, seq, at, packed_in, number, words)
                     SELECT agent_id, seq, at, NULL, 0, array_to_tsvector(string_to_array($3, ' '))
                     FROM entries WHERE agent_id = $1 AND seq = $2
                     UNION ALL
                     SELECT p.agent_id, CAST($2 AS BIGINT), CAST($5 AS BIGINT), p.conversation_id, 0,
                            array_to_tsvector(string_to_array($3, ' '))
                     FROM packed_conversations p WHERE p.conversation_id = $4",
                    (agent, seq, words, packed_in, at),
                )
                .execute(&mut **tx)
                .await?;
            }
        }
        Ok(())
    }
}

/// With the word of its owner. `None`: it is not found by any.
fn words_of(owner: &UserId, body: &EntryBody) -> Option<String> {
    let terms: Vec<String> = index_terms(&text_of(body)?).into_iter().collect();
    (!terms.is_empty()).then(|| format!("{} {}", owner_term(owner), terms.join(" ")))
}

/// What an entry is found by: what was said, and the names of what came with it.
pub(super) fn text_of(body: &EntryBody) -> Option<Cow<'_, str>> {
    match body {
        EntryBody::Message {
            from: Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. },
            ..
        } => None,
        EntryBody::Message { text, attachments, .. } if attachments.is_empty() => Some(Cow::Borrowed(text)),
        EntryBody::Message { text, attachments, .. } => {
            let names = attachments.iter().map(|attachment| attachment.name.as_str());
            Some(Cow::Owned([text.as_str()].into_iter().chain(names).collect::<Vec<_>>().join("\n")))
        }
        EntryBody::Block { block: Block::Text { text }, .. } => Some(Cow::Borrowed(text)),
        _ => None,
    }
}

/// A word that everything of this person has, so that an index of all is read no further than theirs.
pub(super) fn owner_term(owner: &UserId) -> String {
    let name: String = owner.0.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("owner0{}", name.to_ascii_lowercase())
}

impl FromRow for Behind {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { agent: row.get("id")?, seq: row.get("seq")?, last: row.get("last_seq")? })
    }
}

impl FromRow for Document {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { seq: row.get("seq")?, bytes: row.len("body")?, body: row.get::<Json<_>>("body")?.0 })
    }
}
