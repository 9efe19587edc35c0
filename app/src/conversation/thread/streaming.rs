//! The blocks of the reply under way. They are no entries yet: every one of them is replaced by its
//! entry, or goes.

use super::item::{Body, Change, Item, Key, Progress};
use protocol::RunId;
use protocol::model::BlockKind;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Streaming {
    /// By turn and index.
    items: Vec<Item>,
}

impl Streaming {
    /// The turn of the last block.
    pub(super) fn turn(&self) -> Option<u32> {
        self.items.last().and_then(|item| match &item.key {
            Key::Block { turn, .. } => Some(*turn),
            Key::Entry(_) | Key::Branches(_) => None,
        })
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter()
    }

    /// Takes a block as far as it goes. One that is further already stays.
    pub(super) fn put(&mut self, key: Key, kind: &BlockKind, text: &str) -> Vec<Change> {
        if let Some(item) = self.find(&key) {
            if item.text.starts_with(text) {
                return Vec::new();
            }
            text.clone_into(&mut item.text);
            return vec![Change::Item(key)];
        }
        let body = match kind {
            BlockKind::Text => Body::Text { streaming: true, ends: None },
            BlockKind::Reasoning => Body::Reasoning { streaming: true },
            BlockKind::ToolUse { name, .. } => Body::Tool { name: name.clone(), progress: Progress::Written },
        };
        let place = self.items.partition_point(|item| item.key < key);
        self.items.insert(
            place,
            Item {
                key,
                seq: 0,
                at: 0,
                body,
                text: text.to_owned(),
                attachments: Vec::new(),
                cut: Vec::new(),
            },
        );
        vec![Change::Order]
    }

    /// Adds what is new in `text`, which starts at byte `offset`. Text behind a gap is left out: the
    /// finished block brings it.
    pub(super) fn grow(&mut self, key: &Key, offset: u64, text: &str) -> Option<Change> {
        let item = self.find(key)?;
        let known = item.text.len().checked_sub(usize::try_from(offset).ok()?)?;
        let new = text.get(known..).filter(|new| !new.is_empty())?;
        item.text.push_str(new);
        Some(Change::Grew { key: key.clone(), text: new.to_owned() })
    }

    pub(super) fn remove(&mut self, key: &Key) -> bool {
        self.retain(|item| item.key != *key)
    }

    pub(super) fn void(&mut self, run: &RunId, turn: u32) -> bool {
        self.retain(
            |item| !matches!(&item.key, Key::Block { run: own, turn: its, .. } if own == run && *its == turn),
        )
    }

    pub(super) fn clear(&mut self) -> bool {
        self.retain(|_| false)
    }

    fn retain(&mut self, keep: impl Fn(&Item) -> bool) -> bool {
        let before = self.items.len();
        self.items.retain(keep);
        self.items.len() != before
    }

    fn find(&mut self, key: &Key) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.key == *key)
    }
}
