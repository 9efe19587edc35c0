//! Kinds and importance of memories in words.

use protocol::view::MemoryKind;

pub(super) fn kind_words(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Fact => "Fact",
        MemoryKind::Preference => "Preference",
        MemoryKind::Event => "Event",
        MemoryKind::Procedure => "How to do something",
    }
}

/// From the most important.
pub(super) const IMPORTANCE: [(u8, &str); 5] =
    [(5, "Always good to know"), (4, "Important"), (3, "Usual"), (2, "Less important"), (1, "By the way")];
