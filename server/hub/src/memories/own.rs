//! What a person sees and changes of what is remembered of them.

use super::rank::likeness;
use super::source::Source;
use super::stems::{Stemmed, noted};
use super::write::{MemoryWords, Writing, insert, room_for};
use super::{OwnMemories, meaning, rows};
use crate::error::{Error, Result};
use crate::store::{Transaction, query};
use protocol::MemoryId;
use protocol::hub::Noun;
use protocol::view::{MemoryAuthor, MemoryDraft, MemoryList, MemoryState, SaidAt};

/// Memories at a time.
const PAGE: usize = 50;
const MOST_FORGOTTEN: usize = 50;

impl OwnMemories<'_> {
    /// 50 at a time; `page` counts from 0. With words in `text` those that have any of them, or are near
    /// in meaning.
    pub async fn list(self, text: &str, page: u32) -> Result<MemoryList> {
        let (owner, hub) = (&self.scoped.viewer.me.id, self.scoped.hub);
        let store = hub.store().read();
        let total = rows::count(store, owner, MemoryState::Kept).await?;
        let skipped = usize::try_from(page).unwrap_or_default().saturating_mul(PAGE);
        let words = Stemmed::words_of(text);
        let mut kept = match words.is_empty() {
            true => rows::latest(store, owner, None, MemoryState::Kept, (skipped, PAGE + 1)).await?,
            false => {
                let found = hub.memories().found(owner, None, text, &words).await?;
                let shown: Vec<_> = found.iter().skip(skipped).take(PAGE + 1).collect();
                rows::kept(hub.store(), owner, &shown).await?
            }
        };
        let more = kept.len() > PAGE;
        kept.truncate(PAGE);
        let forgotten = match text.trim() {
            "" => rows::latest(store, owner, None, MemoryState::Forgotten, (0, MOST_FORGOTTEN)).await?,
            _ => Vec::new(),
        };
        let proposed = rows::all(store, owner, MemoryState::Proposed).await?;
        let since = hub.now().saturating_sub(super::FORGOTTEN_MS);
        Ok(MemoryList {
            uses: self.uses(&kept).await?,
            disagreeing: hub.memories().disagreeing(owner).await?,
            proposed: proposed.into_iter().map(|stored| stored.memory).collect(),
            kept,
            forgotten: forgotten.into_iter().filter(|memory| memory.changed_at >= since).collect(),
            total: u32::try_from(total).unwrap_or(u32::MAX),
            more,
        })
    }

    /// How many wait for a yes, and how many may not be true beside an older one.
    pub(crate) async fn unsettled(self) -> Result<(u32, u32)> {
        let (owner, store) = (&self.scoped.viewer.me.id, self.scoped.hub.store());
        let proposed = rows::count(store.read(), owner, MemoryState::Proposed).await?;
        let disagreeing = rows::count_against_others(store.read(), owner).await?;
        let whole = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        Ok((whole(proposed), whole(disagreeing)))
    }

    /// Fails with [`Error::Limit`] where there are 10,000 already.
    pub async fn create(self, draft: &MemoryDraft) -> Result<MemoryId> {
        self.create_from(draft, &Source::default()).await
    }

    /// The same of something that was said, where it has a word of that: whoever then writes another one has the same
    /// form before them.
    pub async fn create_of(self, draft: &MemoryDraft, at: &SaidAt) -> Result<MemoryId> {
        let said = noted(&Stemmed::words_of(&self.said(at).await?));
        let source = match likeness(&Stemmed::words_of(&draft.text), &said) > 0.0 {
            true => self.source_of(at).await?,
            false => Source::default(),
        };
        self.create_from(draft, &source).await
    }

    async fn create_from(self, draft: &MemoryDraft, source: &Source) -> Result<MemoryId> {
        let words = words_of(draft)?;
        let audience = self.audience(draft).await?;
        let writing = Writing {
            author: MemoryAuthor::Person,
            audience: &audience,
            writer: None,
            source,
            against: None,
            state: MemoryState::Kept,
        };
        let mut tx = self.scoped.hub.store().write().await?;
        let id = insert(&mut tx, &self.scoped.viewer.me.id, &words, &writing, self.scoped.hub.now()).await?;
        tx.commit().await?;
        self.scoped.hub.memories().changed();
        Ok(id)
    }

    /// What its person changed is theirs, whoever wrote it.
    pub async fn edit(self, id: &MemoryId, draft: &MemoryDraft) -> Result<()> {
        let words = words_of(draft)?;
        let audience = self.audience(draft).await?;
        let owner = &self.scoped.viewer.me.id;
        let mut tx = self.scoped.hub.store().write().await?;
        if words.replace(&mut tx, owner, id, &audience, self.scoped.hub.now()).await? == 0 {
            return Err(Error::NotFound("memory"));
        }
        tx.commit().await?;
        self.scoped.hub.memories().changed();
        Ok(())
    }

    /// Keeps what was proposed or forgotten; agents are told of it.
    pub async fn keep(self, id: &MemoryId) -> Result<()> {
        self.set_state(id, MemoryState::Kept).await
    }

    /// Takes it away from all agents. For thirty days it can be brought back.
    pub async fn forget(self, id: &MemoryId) -> Result<()> {
        self.set_state(id, MemoryState::Forgotten).await
    }

    async fn set_state(self, id: &MemoryId, state: MemoryState) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        self.set_state_in(&mut tx, id, state).await?;
        tx.commit().await?;
        self.scoped.hub.memories().changed();
        Ok(())
    }

    pub(super) async fn set_state_in(
        self,
        tx: &mut Transaction,
        id: &MemoryId,
        state: MemoryState,
    ) -> Result<()> {
        let owner = &self.scoped.viewer.me.id;
        room_for(tx, owner, state, 1).await?;
        let changed = query(
            "UPDATE memories SET state = $3, changed_at = $4 WHERE user_id = $1 AND id = $2",
            (owner, id, state, self.scoped.hub.now()),
        )
        .execute(&mut **tx)
        .await?;
        if changed == 0 {
            return Err(Error::NotFound("memory"));
        }
        tx.changes(owner, Noun::Memories);
        match state {
            MemoryState::Kept => meaning::due(tx, owner, self.scoped.hub.now()).await,
            MemoryState::Proposed | MemoryState::Forgotten => meaning::gone(tx, id).await,
        }
    }
}

fn words_of(draft: &MemoryDraft) -> Result<MemoryWords> {
    let tags: Vec<String> = draft.tags.split(',').map(|tag| tag.trim().to_owned()).collect();
    MemoryWords::new(&draft.text, draft.kind, &tags, draft.importance)
}
