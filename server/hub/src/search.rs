//! Looking for what was said, in all conversations of a person. The words are read from the log when somebody
//! looks for some, so that a message costs nothing more for it.

mod excerpt;
mod index;
mod terms;

pub(crate) use terms::index_terms;

use crate::Hub;
use crate::access::Scoped;
use crate::error::{Error, Result};
use crate::log::packed::{self, PackedEntry};
use crate::log::{self, Lineage};
use crate::store::{Dialect, FromRow, Json, Row, query};
use excerpt::excerpt;
use protocol::log::EntryBody;
use protocol::model::Block;
use protocol::view::{SearchHit, SearchQuery, SearchResults, SearchSpeaker, SearchTitle};
use protocol::{AgentId, ConversationId, UserId};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use terms::Terms;

/// Longest text that is looked for, in characters.
const MAX_TEXT: usize = 200;
/// Hits at a time, and titles.
const PAGE: usize = 20;
const TITLES: usize = 5;
/// Conversations whose titles are looked at: those used last.
const LATEST_TITLES: usize = 2_000;

/// Whose logs are being read to their end.
#[derive(Default)]
pub(crate) struct Indexing(Mutex<BTreeSet<UserId>>);

impl Indexing {
    fn all(&self) -> MutexGuard<'_, BTreeSet<UserId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hub {
    /// Reads all that this person's agents' logs have since somebody searched. `false`: somebody else does.
    pub(crate) async fn read_words(&self, owner: &UserId) -> Result<bool> {
        self.search_index().read(owner, None).await
    }
}

/// What the viewer and their agents said.
#[derive(Clone, Copy, Debug)]
pub struct OwnSearch<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn search(&self) -> OwnSearch<'a> {
        OwnSearch { scoped: *self }
    }
}

/// A row that has all the words.
struct Found {
    agent: AgentId,
    agent_name: String,
    title: String,
    conversation: ConversationId,
    seq: u64,
    at: i64,
    /// `None`: its entry has no row.
    body: Option<EntryBody>,
    /// The packed conversation that its entry is in.
    packed_in: Option<ConversationId>,
}

impl OwnSearch<'_> {
    /// What has all of these words, or words that begin with them, newest first: 20 at a time. Fails with
    /// [`Error::Invalid`](crate::Error) where there is no word.
    pub async fn find(self, wanted: &SearchQuery) -> Result<SearchResults> {
        let terms = Terms::of(&wanted.text.chars().take(MAX_TEXT).collect::<String>());
        if terms.is_empty() {
            return Err(Error::invalid("Write a word to look for."));
        }
        if let Some(agent) = &wanted.agent {
            self.scoped.require_agent(agent).await?;
        }
        if let Some(conversation) = &wanted.conversation {
            self.scoped.conversations().get(conversation).await?;
            let store = self.scoped.hub.store();
            let brought = Lineage::of(store.read(), conversation).await?.bring_back(store).await;
            // Where nothing can be written, what stays packed is looked through as it is. What is damaged is named.
            if let Err(error @ Error::Conflict(_)) = brought {
                return Err(error);
            }
        }
        let is_complete = match self.scoped.hub.search_index().catch_up(&self.scoped.viewer.me.id).await {
            Ok(is_complete) => is_complete,
            // What was read before is found all the same.
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!("conversations cannot be read for a search: {failure}");
                false
            }
        };
        let mut found = self.matching(wanted, &terms).await?;
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let titles = match wanted.page {
            0 => self.titles(wanted, &terms).await?,
            _ => Vec::new(),
        };
        self.read_packed(&mut found).await?;
        let hits = found.into_iter().filter_map(|found| found.into_hit(&terms)).collect();
        Ok(SearchResults { titles, hits, more, is_complete })
    }

    /// An entry stands in its own conversation, or where that is deleted in one that has it.
    async fn matching(self, wanted: &SearchQuery, terms: &Terms) -> Result<Vec<Found>> {
        let dialect = self.scoped.hub.store().dialect();
        let owner = index::owner_term(&self.scoped.viewer.me.id);
        let (condition, words) = match dialect {
            Dialect::Sqlite => (
                "d.number IN (SELECT rowid FROM search_index WHERE search_index MATCH $1)",
                terms.for_sqlite(&owner),
            ),
            Dialect::Postgres => ("d.words @@ CAST($1 AS tsquery)", terms.for_postgres(&owner)),
        };
        let agent = wanted.agent.as_ref().map(|agent| agent.0.as_str()).unwrap_or_default();
        let conversation = wanted.conversation.as_ref().map(|one| one.0.as_str()).unwrap_or_default();
        query(
            [
                "SELECT h.agent_id, h.seq, h.at, h.packed_in, e.body, a.name, c.id AS conversation_id, c.title
                 FROM (SELECT f.agent_id, f.seq, f.at, f.packed_in, f.shown FROM (
                     SELECT d.agent_id, d.seq, d.at, d.packed_in, COALESCE(
                         (SELECT k.id FROM conversations k
                          WHERE k.id = COALESCE(e.conversation_id, d.packed_in) AND k.deleted_at IS NULL AND k.temporary = 0
                            AND ($4 = '' OR k.family = (SELECT o.family FROM conversations o WHERE o.id = $4))),
                         (SELECT k.id FROM conversation_segments s JOIN conversations k ON k.id = s.conversation_id
                          WHERE s.source_id = COALESCE(e.conversation_id, d.packed_in) AND d.seq < s.end_seq
                            AND (e.kind <> 'message' OR d.seq < s.messages_end) AND k.deleted_at IS NULL
                            AND k.temporary = 0
                            AND ($4 = '' OR k.family = (SELECT o.family FROM conversations o WHERE o.id = $4))
                          ORDER BY k.place DESC, k.id LIMIT 1)) AS shown
                     FROM search_documents d
                     JOIN agents b ON b.id = d.agent_id AND b.user_id = $2
                     LEFT JOIN entries e ON e.agent_id = d.agent_id AND e.seq = d.seq
                     WHERE ($3 = '' OR d.agent_id = $3) AND",
                condition,
                ") f WHERE f.shown IS NOT NULL
                 ORDER BY f.at DESC, f.agent_id, f.seq DESC LIMIT $5 OFFSET $6) h
                 JOIN agents a ON a.id = h.agent_id
                 LEFT JOIN entries e ON e.agent_id = h.agent_id AND e.seq = h.seq
                 JOIN conversations c ON c.id = h.shown
                 ORDER BY h.at DESC, h.agent_id, h.seq DESC",
            ],
            (words, self.scoped.owner(), agent, conversation, PAGE + 1, u64::from(wanted.page) * PAGE as u64),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await
    }

    /// Reads what was found in packed conversations, which stay so. What is damaged hides nothing else.
    async fn read_packed(self, found: &mut [Found]) -> Result<()> {
        let store = self.scoped.hub.store();
        let mut opened: Option<(ConversationId, Option<Vec<PackedEntry>>)> = None;
        let mut damaged: Option<ConversationId> = None;
        for found in found.iter_mut().filter(|found| found.body.is_none()) {
            let Some(packed_in) = &found.packed_in else { continue };
            if damaged.as_ref() == Some(packed_in) {
                continue;
            }
            if opened.as_ref().is_none_or(|(of, _)| of != packed_in) {
                match packed::read(store, packed_in).await {
                    Ok(entries) => opened = Some((packed_in.clone(), entries)),
                    Err(error) if error.is_database_away() => return Err(error),
                    Err(error) => {
                        tracing::warn!(conversation.id = %packed_in, error = ?error, "it is left out of a search");
                        damaged = Some(packed_in.clone());
                        continue;
                    }
                }
            }
            let body = match &opened {
                Some((_, Some(entries))) => entries.iter().find(|entry| entry.seq == log::stored(found.seq)),
                Some((_, None)) | None => None,
            };
            found.body = match body {
                Some(entry) => Some(serde_json::from_str(&entry.body)?),
                // Somebody has opened it meanwhile.
                None => log::entry_at(store, &found.agent, found.seq).await?.map(|entry| entry.body),
            };
        }
        Ok(())
    }

    /// Conversations that are called so.
    async fn titles(self, wanted: &SearchQuery, terms: &Terms) -> Result<Vec<SearchTitle>> {
        if wanted.conversation.is_some() {
            return Ok(Vec::new());
        }
        let agent = wanted.agent.as_ref().map(|agent| agent.0.as_str()).unwrap_or_default();
        let titles: Vec<SearchTitle> = query(
            "SELECT c.id, c.agent_id, c.title, c.used_at, a.name FROM conversations c
             JOIN agents a ON a.id = c.agent_id
             WHERE a.user_id = $1 AND c.deleted_at IS NULL AND c.temporary = 0 AND c.title <> '' AND ($2 = '' OR a.id = $2)
               AND NOT EXISTS (SELECT 1 FROM conversations o WHERE o.family = c.family AND o.place > c.place)
             ORDER BY c.used_at DESC, c.id LIMIT $3",
            (self.scoped.owner(), agent, LATEST_TITLES),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        Ok(titles.into_iter().filter(|one| terms.are_in(&one.title)).take(TITLES).collect())
    }
}

impl Found {
    /// `None`: its entry is gone meanwhile.
    fn into_hit(self, terms: &Terms) -> Option<SearchHit> {
        let body = self.body?;
        let text = index::text_of(&body);
        let by = match &body {
            EntryBody::Message { from, .. } if from.speaks_for_person() => SearchSpeaker::Person,
            EntryBody::Block { block: Block::Text { .. }, .. } => SearchSpeaker::Agent,
            _ => SearchSpeaker::Other,
        };
        Some(SearchHit {
            agent: self.agent,
            agent_name: self.agent_name,
            conversation: self.conversation,
            title: self.title,
            seq: self.seq,
            at: self.at,
            by,
            excerpt: excerpt(text.as_deref().unwrap_or_default(), terms),
        })
    }
}

impl FromRow for Found {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            agent: row.get("agent_id")?,
            agent_name: row.get("name")?,
            title: row.get("title")?,
            conversation: row.get("conversation_id")?,
            seq: row.get("seq")?,
            at: row.get("at")?,
            body: row.get::<Option<Json<_>>>("body")?.map(|Json(body)| body),
            packed_in: row.get("packed_in")?,
        })
    }
}

impl FromRow for SearchTitle {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            conversation: row.get("id")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("name")?,
            title: row.get("title")?,
            used_at: row.get("used_at")?,
        })
    }
}
