//! How a memory comes to be: checked, compared with what is there already, and kept or put before its person.

use super::against::{self, spoken_against};
use super::audience::Audience;
use super::rank::likeness;
use super::rows::{self, clear_forgotten};
use super::same::Said;
use super::source::{Place, Source};
use super::stems::{Stemmed, noted};
use super::{MOST_KEPT, MOST_PROPOSED, Memories, meaning, words};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::marks;
use crate::store::{Json, Transaction, query};
use crate::workspaces;
use agent::tools::LONGEST_MEMORY;
use protocol::hub::Noun;
use protocol::view::{Memory, MemoryAuthor, MemoryKind, MemoryState};
use protocol::{AgentId, MemoryId, UserId};
use std::collections::BTreeSet;

/// From here on two are about the same.
const CLOSE: f64 = 0.35;
/// Those close to it that are told.
const MOST_CLOSE: usize = 5;
const MOST_TAGS: usize = 5;
const LONGEST_TAG: usize = 40;

/// What is to be remembered, checked.
pub(crate) struct MemoryWords {
    text: String,
    kind: MemoryKind,
    tags: Vec<String>,
    importance: u8,
    words: BTreeSet<Stemmed>,
}

impl MemoryWords {
    /// Fails with [`Error::Invalid`] for a text that is empty, too long or has no word in it.
    pub(crate) fn new(text: &str, kind: MemoryKind, tags: &[String], importance: u8) -> Result<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > LONGEST_MEMORY {
            return Err(Error::Invalid(format!(
                "A memory has at most {LONGEST_MEMORY} characters. Say it shorter, or make two of it."
            )));
        }
        let tags: Vec<String> = tags.iter().filter(|tag| !tag.is_empty()).cloned().collect();
        if tags.len() > MOST_TAGS || tags.iter().any(|tag| tag.chars().count() > LONGEST_TAG) {
            return Err(Error::Invalid(format!(
                "A memory has at most {MOST_TAGS} tags of {LONGEST_TAG} characters."
            )));
        }
        let words = words::found_by(&text, &tags);
        if words.is_empty() {
            return Err(Error::invalid("Write what is to be remembered."));
        }
        if text.chars().chain(tags.iter().flat_map(|tag| tag.chars())).any(char::is_control) {
            return Err(Error::invalid("A memory has no control characters."));
        }
        Ok(Self { text, kind, tags, importance: importance.clamp(1, 5), words })
    }
}

/// Who writes a memory, and where.
pub(super) struct Writing<'a> {
    pub(super) author: MemoryAuthor,
    pub(super) audience: &'a Audience,
    pub(super) writer: Option<&'a AgentId>,
    pub(super) source: &'a Source,
    /// An older one beside which it may not be true.
    pub(super) against: Option<&'a MemoryId>,
    pub(super) state: MemoryState,
}

/// When it was written, and when it came to say what it says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dates {
    pub(super) written: i64,
    pub(super) changed: i64,
}

/// Whom an agent wants to be told of what it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Person,
    Agent,
    Workspace,
}

/// What became of a memory that an agent wrote.
pub(crate) struct Written {
    pub(crate) id: MemoryId,
    /// It says what one said already, which stands for both.
    pub(crate) was_known: bool,
    /// It waits for its person.
    pub(crate) is_proposed: bool,
    /// Others that are about the same.
    pub(crate) close: Vec<Memory>,
}

impl Memories<'_> {
    /// Keeps it. Of an agent that has read words of strangers it waits for the person's yes.
    pub(crate) async fn write(
        self,
        owner: &UserId,
        at: Place<'_>,
        scope: Scope,
        memory: &MemoryWords,
    ) -> Result<Written> {
        self.write_by(owner, at, scope, memory, MemoryAuthor::Agent).await
    }

    /// The same of this author. In the background nobody hears what is close to it: its person is asked about what may
    /// not be true beside it.
    pub(super) async fn write_by(
        self,
        owner: &UserId,
        at: Place<'_>,
        scope: Scope,
        memory: &MemoryWords,
        author: MemoryAuthor,
    ) -> Result<Written> {
        let agent = at.agent;
        let is_proposed = self.has_read_strangers(agent).await?;
        let audience = match scope {
            Scope::Person => Audience::All,
            Scope::Agent => Audience::Agent(agent.clone()),
            Scope::Workspace => {
                let workspace = workspaces::of_agent(self.hub.store().read(), agent).await?;
                Audience::Workspace(workspace.ok_or_else(|| {
                    Error::invalid(
                        "You have no workspace. Keep it for you alone, or for all agents of your person.",
                    )
                })?)
            }
        };
        let close = self.close_to(owner, agent, memory).await?;
        let source = self.source_at(at, is_proposed).await?;
        let mut tx = self.hub.store().write().await?;
        let writing = Writing {
            author,
            audience: &audience,
            writer: Some(agent),
            source: &source,
            against: match author {
                MemoryAuthor::Background => spoken_against(&close),
                MemoryAuthor::Person | MemoryAuthor::Agent => None,
            },
            state: if is_proposed { MemoryState::Proposed } else { MemoryState::Kept },
        };
        if let Some(id) = rows::same(&mut *tx, owner, agent, MemoryState::Kept, &memory.said()).await? {
            if !is_proposed {
                query(
                    "UPDATE memories SET importance = CASE WHEN importance < $3 THEN $3 ELSE importance END
                     WHERE user_id = $1 AND id = $2",
                    (owner, &id, i64::from(memory.importance)),
                )
                .execute(&mut *tx)
                .await?;
                tx.changes(owner, Noun::Memories);
                tx.commit().await?;
            }
            return Ok(Written { id, was_known: true, is_proposed: false, close: Vec::new() });
        }
        let id = insert(&mut tx, owner, memory, &writing, self.hub.now()).await?;
        tx.commit().await?;
        self.changed();
        let close = close.into_iter().map(|(_, memory)| memory).collect();
        Ok(Written { id, was_known: false, is_proposed, close })
    }

    /// The closest first, with how much of their words they share.
    async fn close_to(
        self,
        owner: &UserId,
        agent: &AgentId,
        memory: &MemoryWords,
    ) -> Result<Vec<(f64, Memory)>> {
        let fitting = self.fitting(owner, Some(agent), &memory.words).await?;
        let mut close: Vec<(f64, MemoryId)> = fitting
            .into_iter()
            .map(|one| (likeness(&memory.words, &one.words), one.id))
            .filter(|(likeness, _)| *likeness >= CLOSE)
            .collect();
        close.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        close.truncate(MOST_CLOSE);
        let ids: Vec<&MemoryId> = close.iter().map(|(_, id)| id).collect();
        let kept = rows::kept(self.hub.store(), owner, &ids).await?;
        let likeness_of =
            |memory: &Memory| close.iter().find(|(_, id)| *id == memory.id).map(|(likeness, _)| *likeness);
        Ok(kept.into_iter().map(|memory| (likeness_of(&memory).unwrap_or_default(), memory)).collect())
    }

    /// Takes it away. An agent that has read words of strangers may not.
    pub(crate) async fn forget(self, owner: &UserId, agent: &AgentId, id: &MemoryId) -> Result<()> {
        if self.has_read_strangers(agent).await? {
            return Err(Error::Forbidden(
                "You have read words of strangers, so only your person takes memories away: on the page Memory.",
            ));
        }
        let mut tx = self.hub.store().write().await?;
        let forgotten = query(
            "UPDATE memories SET state = $4, changed_at = $5
             WHERE user_id = $1 AND id = $2 AND state = $6 AND (agent_id IS NULL OR agent_id = $3)
               AND (workspace_id IS NULL
                    OR workspace_id IN (SELECT h.folder_id FROM workspace_agents h WHERE h.agent_id = $3))",
            (owner, id, agent, MemoryState::Forgotten, self.hub.now(), MemoryState::Kept),
        )
        .execute(&mut *tx)
        .await?;
        if forgotten == 0 {
            return Err(Error::NotFound("memory"));
        }
        meaning::gone(&mut tx, id).await?;
        tx.changes(owner, Noun::Memories);
        tx.commit().await
    }

    pub(super) async fn has_read_strangers(self, agent: &AgentId) -> Result<bool> {
        let mut connection = self.hub.store().reader().await?;
        Ok(marks::of(&mut connection, agent).await?.untrusted)
    }
}

/// Fails with [`Error::Limit`] where there are as many as there may be.
pub(super) async fn insert(
    tx: &mut Transaction,
    owner: &UserId,
    memory: &MemoryWords,
    writing: &Writing<'_>,
    now: i64,
) -> Result<MemoryId> {
    clear_forgotten(tx, owner, now).await?;
    room_for(tx, owner, writing.state, 1).await?;
    meaning::due(tx, owner, now).await?;
    put(tx, owner, memory, writing, Dates { written: now, changed: now }).await
}

/// The same where room has been found for it.
pub(super) async fn put(
    tx: &mut Transaction,
    owner: &UserId,
    memory: &MemoryWords,
    writing: &Writing<'_>,
    dates: Dates,
) -> Result<MemoryId> {
    let id = MemoryId(new_id());
    let terms = memory.terms();
    let Writing { author, audience, writer, source, against, state } = writing;
    query(
        "INSERT INTO memories (id, user_id, agent_id, text, kind, tags, importance, words, state, author,
                               writer_id, conversation_id, created_at, changed_at, workspace_id, said, seq,
                               strangers, page, against_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18, $19, $20)",
        (
            &id,
            owner,
            audience.agent(),
            &memory.text,
            memory.kind,
            Json(&memory.tags),
            i64::from(memory.importance),
            &terms,
            *state,
            *author,
            *writer,
            &source.conversation,
            dates.written,
            dates.changed,
            audience.workspace(),
            memory.said().digest(),
            source.seq,
            source.strangers,
            &source.page,
            *against,
        ),
    )
    .execute(&mut **tx)
    .await?;
    words::put(tx, owner, &id, &terms).await?;
    tx.changes(owner, Noun::Memories);
    Ok(id)
}

/// Whether so many more may be in this state.
pub(super) async fn room_for(
    tx: &mut Transaction,
    owner: &UserId,
    state: MemoryState,
    more: usize,
) -> Result<()> {
    let (most, words) = match state {
        MemoryState::Kept => (
            MOST_KEPT,
            protocol::words!("10,000 memories are kept, as many as there can be. Forget some of them first."),
        ),
        MemoryState::Proposed => (
            MOST_PROPOSED,
            protocol::words!(
                "100 memories wait for a yes or no on the page Memory, as many as there can be."
            ),
        ),
        MemoryState::Forgotten => return Ok(()),
    };
    let there = usize::try_from(rows::count(&mut **tx, owner, state).await?).unwrap_or_default();
    if there + more > most {
        return Err(Error::Limit(words.to_owned()));
    }
    Ok(())
}

impl MemoryWords {
    /// What another one says that says the same.
    pub(super) fn said(&self) -> Said {
        Said::in_text(&self.text)
    }

    /// What it is found by, as it is noted.
    pub(super) fn terms(&self) -> String {
        noted(&self.words)
    }

    /// Puts these words in the place of the memory's own.
    pub(super) async fn replace(
        &self,
        tx: &mut Transaction,
        owner: &UserId,
        id: &MemoryId,
        audience: &Audience,
        now: i64,
    ) -> Result<u64> {
        let terms = self.terms();
        let replaced = query(
            "UPDATE memories SET text = $3, kind = $4, importance = $5, words = $6, agent_id = $7, changed_at = $8, tags = $9,
                                 workspace_id = $10, said = $11
             WHERE user_id = $1 AND id = $2",
            (
                owner,
                id,
                &self.text,
                self.kind,
                i64::from(self.importance),
                &terms,
                audience.agent(),
                now,
                Json(&self.tags),
                audience.workspace(),
                self.said().digest(),
            ),
        )
        .execute(&mut **tx)
        .await?;
        if replaced > 0 {
            words::replace(tx, owner, id, &terms).await?;
            against::settled(tx, owner, id).await?;
            meaning::gone(tx, id).await?;
            meaning::due(tx, owner, now).await?;
            tx.changes(owner, Noun::Memories);
        }
        Ok(replaced)
    }
}
