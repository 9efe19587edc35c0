//! Snapshots of the conversations that were talked to last. What is not here is read from the store.

use agent::context::Snapshot;
use protocol::ConversationId;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Conversations, and bytes of their snapshots as JSON.
const MAX_SNAPSHOTS: usize = 64;
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A snapshot, and how far it is kept in the store.
#[derive(Clone)]
pub(super) struct CachedSnapshot {
    /// After which rest its conversation begins anew, in milliseconds.
    pub(super) rest: i64,
    /// The entry that it reaches to.
    pub(super) seq: u64,
    pub(super) snapshot: Snapshot,
    /// Of the snapshot in the store.
    pub(super) bytes: usize,
    /// Entries since that one, and bytes of them.
    pub(super) unsaved: usize,
    pub(super) unsaved_bytes: usize,
}

impl CachedSnapshot {
    pub(super) fn new(rest: i64, seq: u64, snapshot: Snapshot, bytes: usize) -> Self {
        Self { rest, seq, snapshot, bytes, unsaved: 0, unsaved_bytes: 0 }
    }

    fn size(&self) -> usize {
        self.bytes + self.unsaved_bytes
    }
}

/// The one that was asked for last stands last.
#[derive(Default)]
pub(super) struct SnapshotCache(Mutex<VecDeque<(ConversationId, CachedSnapshot)>>);

impl SnapshotCache {
    pub(super) fn get(&self, conversation: &ConversationId, rest: i64) -> Option<CachedSnapshot> {
        let all = self.all();
        let (_, kept) = all.iter().find(|(own, _)| own == conversation)?;
        (kept.rest == rest).then(|| kept.clone())
    }

    pub(super) fn put(&self, conversation: &ConversationId, kept: CachedSnapshot) {
        let mut all = self.all();
        all.retain(|(own, _)| own != conversation);
        all.push_back((conversation.clone(), kept));
        let mut size: usize = all.iter().map(|(_, kept)| kept.size()).sum();
        while all.len() > MAX_SNAPSHOTS || size > MOST_BYTES {
            let Some((_, gone)) = all.pop_front() else { break };
            size -= gone.size();
        }
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<(ConversationId, CachedSnapshot)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ones_are_here_as_far_as_there_is_room() {
        let recent = SnapshotCache::default();
        let name = |number: usize| ConversationId(format!("c{number}"));
        let kept = |bytes| CachedSnapshot::new(-1, 1, Snapshot::new(None), bytes);
        for number in 0..=MAX_SNAPSHOTS {
            recent.put(&name(number), kept(10));
        }
        assert!(recent.get(&name(0), -1).is_none() && recent.get(&name(1), -1).is_some());
        assert!(recent.get(&name(1), 60_000).is_none(), "it began anew after another rest");
        recent.put(&name(1), kept(MOST_BYTES - 10));
        assert!(recent.get(&name(1), -1).is_some() && recent.get(&name(MAX_SNAPSHOTS), -1).is_some());
        assert!(recent.get(&name(MAX_SNAPSHOTS - 1), -1).is_none());
        recent.put(&name(2), kept(MOST_BYTES + 1));
        assert!(recent.all().is_empty(), "what is larger than the room is read from the store");
    }
}
