//! Kinds and importance of memories in words.

use crate::prelude::{key, t};
use protocol::view::MemoryKind;

pub(super) fn kind_words(kind: MemoryKind) -> &'static str {
    t(match kind {
        MemoryKind::Fact => "Fact",
        MemoryKind::Preference => "Preference",
        MemoryKind::Event => "Event",
        MemoryKind::Procedure => "How to do something",
    })
}

/// From the most important.
pub(super) const IMPORTANCE: [(u8, &str); 5] = [
    (5, key!("Always good to know")),
    (4, key!("Important")),
    (3, key!("Usual")),
    (2, key!("Less important")),
    (1, key!("By the way")),
];
