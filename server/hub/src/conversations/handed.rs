//! What was said in a conversation, in words for somebody else: the last of it, as much as there is room for.

use super::{Conversations, markdown};
use crate::error::Result;
use crate::log::{Kinds, Lineage};
use protocol::ConversationId;
use protocol::log::{Entry, EntryBody};
use protocol::model::Block;

/// Entries that are read at a time.
const PART: usize = 50;
/// Of what was made shorter, the last that are looked at for a summary.
const SHORTENED: usize = 20;

impl Conversations<'_> {
    /// What was said last, the oldest of it first, in at most so many characters: of messages and answers those that
    /// fit whole, or else the end of the last one.
    pub(crate) async fn said_last(
        self,
        conversation: &ConversationId,
        agent: &str,
        most: usize,
    ) -> Result<String> {
        let store = self.hub.store();
        let lineage = Lineage::of(store.read(), conversation).await?;
        let (mut said, mut room, mut before) = (Vec::new(), most, u64::MAX);
        loop {
            let part = lineage.last(store, before, Kinds::Spoken, PART).await?;
            let is_last = part.len() < PART;
            let mut is_full = false;
            for entry in part {
                before = entry.seq;
                if is_full || !is_said(&entry) {
                    continue;
                }
                let words = markdown::entry(&entry, agent);
                let length = words.chars().count();
                is_full = length > room;
                if !is_full {
                    room -= length;
                    said.push(words);
                } else if said.is_empty() {
                    said.push(words.chars().skip(length - room).collect());
                }
            }
            if is_last || is_full {
                break;
            }
        }
        said.reverse();
        Ok(said.concat())
    }

    /// What a model, or the hub, made of what was said earlier, if it became too long.
    pub(crate) async fn summary_of(self, conversation: &ConversationId) -> Result<Option<String>> {
        let store = self.hub.store();
        let lineage = Lineage::of(store.read(), conversation).await?;
        let shortened = lineage.last(store, u64::MAX, Kinds::Compaction, SHORTENED).await?;
        Ok(shortened.into_iter().find_map(|entry| match entry.body {
            EntryBody::Summary { text, .. } => Some(text),
            _ => None,
        }))
    }
}

fn is_said(entry: &Entry) -> bool {
    matches!(entry.body, EntryBody::Message { .. } | EntryBody::Block { block: Block::Text { .. }, .. })
}
