//! What a conversation consists of: its own entries, and before them what it has of the conversations that it
//! branched off from. Whoever reads it sees one list of entries, all of this conversation.

use super::packed::{Found, PackedEntry, ReadPiece};
use super::{LogPart, PART, PART_BYTES, packed, stored};
use crate::error::Result;
use crate::store::{FromRow, Row, Store, query};
use futures_util::TryStreamExt;
use protocol::log::{Entry, EntryBody};
use protocol::{ConversationId, RunId};
use sqlx::{Any, Executor};

/// A conversation, with where its entries are.
#[derive(Clone, Debug)]
pub(crate) struct Lineage {
    own: ConversationId,
    /// Oldest first. Each begins where the one before ends.
    inherited: Vec<Segment>,
}

/// What a conversation has of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) source: ConversationId,
    /// The first entry that is not part of it.
    pub(crate) end: u64,
    /// The first message that is not: one may come during a run and be answered after it.
    pub(crate) messages_end: u64,
}

/// Entries of one conversation, from `start` up to `end` and without it, as the store counts.
#[derive(Clone, Debug)]
pub(crate) struct Range<'a> {
    pub(crate) source: &'a ConversationId,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) messages_end: i64,
}

/// Which kinds of entries are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kinds {
    All,
    Messages,
    /// Messages, and what was said to them.
    Spoken,
    RunEnds,
    Runs,
    /// What a request that follows now has as its last ones.
    Latest,
    Used,
    Compaction,
    Todo,
}

impl Kinds {
    fn condition(self) -> &'static str {
        match self {
            Self::All => "1 = 1",
            Self::Messages => "kind = 'message'",
            Self::Spoken => "kind IN ('message', 'block')",
            Self::RunEnds => "kind = 'run_finished'",
            Self::Runs => "kind IN ('run_started', 'run_finished')",
            Self::Latest => "kind IN ('message', 'run_started', 'run_finished')",
            Self::Used => "kind = 'used'",
            Self::Todo => "kind = 'todo'",
            Self::Compaction => "kind IN ('digested', 'clipped', 'summary')",
        }
    }

    /// The same of an entry that is no row.
    fn has(self, packed: &PackedEntry) -> bool {
        matches!(self, Self::All) || self.condition().contains(&format!("'{}'", packed.kind))
    }
}

impl Lineage {
    pub(crate) async fn of<'e>(
        db: impl Executor<'e, Database = Any>,
        conversation: &ConversationId,
    ) -> Result<Self> {
        let inherited = query(
            "SELECT source_id, end_seq, messages_end FROM conversation_segments
             WHERE conversation_id = $1 ORDER BY ordinal",
            (conversation,),
        )
        .fetch_all(db)
        .await?;
        Ok(Self { own: conversation.clone(), inherited })
    }

    /// Of one whose entries are known to be where.
    pub(crate) fn with(own: ConversationId, inherited: Vec<Segment>) -> Self {
        Self { own, inherited }
    }

    pub(crate) fn inherited(&self) -> &[Segment] {
        &self.inherited
    }

    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.own
    }

    /// Oldest first; the last one is the conversation's own.
    pub(crate) fn ranges(&self) -> Vec<Range<'_>> {
        let mut start = 0;
        let mut ranges: Vec<Range<'_>> = Vec::with_capacity(self.inherited.len() + 1);
        for segment in &self.inherited {
            let (end, messages_end) = (stored(segment.end), stored(segment.messages_end));
            ranges.push(Range { source: &segment.source, start, end, messages_end });
            start = end;
        }
        ranges.push(Range { source: &self.own, start, end: i64::MAX, messages_end: i64::MAX });
        ranges
    }

    /// What a branch has that is this conversation up to `end`.
    pub(crate) fn until(&self, end: u64, messages_end: u64) -> Vec<Segment> {
        let own = Segment { source: self.own.clone(), end: u64::MAX, messages_end: u64::MAX };
        let mut segments = Vec::new();
        for segment in self.inherited.iter().chain([&own]) {
            let is_last = segment.end >= end;
            segments.push(Segment {
                source: segment.source.clone(),
                end: segment.end.min(end),
                messages_end: segment.messages_end.min(messages_end),
            });
            if is_last {
                break;
            }
        }
        segments
    }

    /// The entries with `seq > after`, as many as are read at a time, oldest first.
    pub(crate) async fn after(&self, store: &Store, after: u64) -> Result<LogPart> {
        let mut part = LogPart { entries: Vec::new(), bytes: 0, is_last: false };
        for range in self.ranges().into_iter().filter(|range| range.end > stored(after)) {
            let before = part.entries.len();
            self.read_range(store, &range, after, &mut part).await?;
            if part.entries.len() == before {
                match packed::find(store, range.source).await? {
                    Found::Nothing => {}
                    Found::Rows => self.read_range(store, &range, after, &mut part).await?,
                    Found::Packed(piece) => self.read_piece(&piece, &range, after, &mut part)?,
                }
            }
            store.has_read(part.entries.len() - before);
            if part.entries.len() == PART || part.bytes >= PART_BYTES {
                return Ok(part);
            }
        }
        part.is_last = true;
        Ok(part)
    }

    async fn read_range(
        &self,
        store: &Store,
        range: &Range<'_>,
        after: u64,
        part: &mut LogPart,
    ) -> Result<()> {
        let mut rows = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE conversation_id = $1 AND seq > $2 AND seq < $3
               AND (seq < $4 OR kind <> 'message') ORDER BY seq LIMIT $5",
            (range.source, stored(after), range.end, range.messages_end, PART - part.entries.len()),
        )
        .fetch::<Row>(store.read())?;
        while part.bytes < PART_BYTES {
            let Some(row) = rows.try_next().await? else { break };
            part.bytes += row.len("body")?;
            part.entries.push(self.own_entry(&row)?);
        }
        Ok(())
    }

    /// The same of what stays packed.
    fn read_piece(&self, piece: &ReadPiece, range: &Range<'_>, after: u64, part: &mut LogPart) -> Result<()> {
        for packed in piece.entries.iter().filter(|packed| packed.seq > stored(after) && range.holds(packed))
        {
            if part.entries.len() == PART || part.bytes >= PART_BYTES {
                break;
            }
            part.bytes += packed.body.len();
            part.entries.push(piece.entry(packed, &self.own)?);
        }
        Ok(())
    }

    /// Unpacks all that it is made of.
    pub(crate) async fn bring_back(&self, store: &Store) -> Result<()> {
        for range in self.ranges() {
            packed::bring_back(store, range.source).await?;
        }
        Ok(())
    }

    /// The last entries of these kinds with `seq < before`, newest first.
    pub(crate) async fn last(
        &self,
        store: &Store,
        before: u64,
        kinds: Kinds,
        limit: usize,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for range in self.ranges().into_iter().rev() {
            let asked = limit - entries.len();
            let mut rows = range.last(store.read(), stored(before), kinds, asked).await?;
            if rows.is_empty() {
                match packed::find(store, range.source).await? {
                    Found::Nothing => {}
                    Found::Rows => rows = range.last(store.read(), stored(before), kinds, asked).await?,
                    Found::Packed(piece) => {
                        let is_asked = |packed: &&PackedEntry| {
                            packed.seq < stored(before) && range.holds(packed) && kinds.has(packed)
                        };
                        for packed in piece.entries.iter().rev().filter(is_asked).take(asked) {
                            entries.push(piece.entry(packed, &self.own)?);
                        }
                    }
                }
            }
            store.has_read(rows.len());
            for row in &rows {
                entries.push(self.own_entry(row)?);
            }
            if entries.len() == limit {
                break;
            }
        }
        Ok(entries)
    }

    /// How many turns were finished in it.
    pub(crate) async fn finished_turns(&self, store: &Store) -> Result<u64> {
        let mut turns = 0;
        for range in self.ranges() {
            let mut own = range.finished_turns(store).await?;
            if own == 0 {
                match packed::find(store, range.source).await? {
                    Found::Nothing => {}
                    Found::Rows => own = range.finished_turns(store).await?,
                    Found::Packed(piece) => {
                        let is_turn =
                            |packed: &&PackedEntry| range.holds(packed) && packed.kind == "turn_finished";
                        own = piece.entries.iter().filter(is_turn).count() as u64;
                    }
                }
            }
            turns += own;
        }
        Ok(turns)
    }

    /// Where this run began, if it is part of the conversation.
    pub(crate) async fn beginning_of(&self, store: &Store, run: &RunId) -> Result<Option<Entry>> {
        let mut entry = beginning_of(store, run).await?;
        if entry.is_none() && packed::bring_back_run(store, run).await? {
            entry = beginning_of(store, run).await?;
        }
        Ok(entry.filter(|entry| self.holds(entry)))
    }

    /// Whether this entry, as the log has it, is part of the conversation.
    pub(crate) fn holds(&self, entry: &Entry) -> bool {
        let is_message = matches!(entry.body, EntryBody::Message { .. });
        self.ranges().iter().any(|range| {
            entry.conversation.as_ref() == Some(range.source)
                && if is_message { range.has_message(entry.seq) } else { range.has(entry.seq) }
        })
    }

    fn own_entry(&self, row: &Row) -> Result<Entry> {
        let mut entry = Entry::from_row(row)?;
        entry.conversation = Some(self.own.clone());
        Ok(entry)
    }
}

impl Range<'_> {
    /// Whether an entry with this number would be in it.
    pub(crate) fn has(&self, seq: u64) -> bool {
        (self.start..self.end).contains(&stored(seq))
    }

    /// Whether a message with this number would be in it, or the beginning of a run.
    pub(crate) fn has_message(&self, seq: u64) -> bool {
        self.has(seq) && stored(seq) < self.messages_end
    }

    /// The same of an entry that is no row.
    fn holds(&self, packed: &PackedEntry) -> bool {
        (self.start..self.end).contains(&packed.seq)
            && (packed.seq < self.messages_end || packed.kind != "message")
    }

    async fn finished_turns(&self, store: &Store) -> Result<u64> {
        query(
            "SELECT COUNT(*) FROM entries
             WHERE conversation_id = $1 AND seq >= $2 AND seq < $3 AND kind = 'turn_finished'",
            (self.source, self.start, self.end),
        )
        .fetch_one(store.read())
        .await
    }

    /// The last ones of these kinds before `before`, newest first.
    pub(crate) async fn last(
        &self,
        db: impl Executor<'_, Database = Any>,
        before: i64,
        kinds: Kinds,
        limit: usize,
    ) -> Result<Vec<Row>> {
        query(
            [
                "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
                 WHERE conversation_id = $1 AND seq >= $2 AND seq < $3
                   AND (seq < $4 OR kind <> 'message') AND",
                kinds.condition(),
                "ORDER BY seq DESC LIMIT $5",
            ],
            (self.source, self.start, self.end.min(before), self.messages_end, limit),
        )
        .fetch_all(db)
        .await
    }
}

async fn beginning_of(store: &Store, run: &RunId) -> Result<Option<Entry>> {
    query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE run_id = $1 AND kind = 'run_started'",
        (run,),
    )
    .fetch_optional(store.read())
    .await
}

impl FromRow for Segment {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            source: row.get("source_id")?,
            end: row.get("end_seq")?,
            messages_end: row.get("messages_end")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lineage(own: &str, inherited: &[(&str, u64, u64)]) -> Lineage {
        let inherited = inherited.iter().map(|(source, end, messages_end)| Segment {
            source: ConversationId((*source).to_owned()),
            end: *end,
            messages_end: *messages_end,
        });
        Lineage { own: ConversationId(own.to_owned()), inherited: inherited.collect() }
    }

    fn branch(of: &Lineage, end: u64, messages_end: u64) -> Vec<(String, u64, u64)> {
        let segments = of.until(end, messages_end).into_iter();
        segments.map(|segment| (segment.source.0, segment.end, segment.messages_end)).collect()
    }

    #[test]
    fn what_is_packed_is_of_the_kinds_and_in_the_range_that_its_row_was() {
        let packed = |seq: i64, kind: &str| -> PackedEntry {
            let line = format!(r#"{{"seq":{seq},"at":1,"kind":"{kind}","body":"{{}}"}}"#);
            serde_json::from_str(&line).expect("an entry")
        };
        for (kinds, kind, expected) in [
            (Kinds::All, "skin", true),
            (Kinds::Todo, "todo", true),
            (Kinds::Todo, "tod", false),
            (Kinds::Runs, "run_finished", true),
            (Kinds::RunEnds, "run_started", false),
            (Kinds::Spoken, "block", true),
            (Kinds::Messages, "kind", false),
        ] {
            assert_eq!(kinds.has(&packed(1, kind)), expected, "{kinds:?} {kind}");
        }
        let of_branch = lineage("c", &[("a", 10, 8), ("b", 20, 20)]);
        let holds = |range: usize, seq, kind| of_branch.ranges()[range].holds(&packed(seq, kind));
        assert!(holds(0, 7, "message") && holds(0, 8, "block") && holds(0, 9, "block"));
        assert!(!holds(0, 8, "message") && !holds(0, 10, "block"));
        assert!(holds(1, 10, "message") && !holds(1, 9, "message") && holds(2, 20, "message"));
    }

    #[test]
    fn a_branch_has_what_came_before_of_all_that_its_conversation_is_made_of() {
        let whole = |name: &str, end| (name.to_owned(), end, end);
        let root = lineage("a", &[]);
        assert_eq!(branch(&root, 10, 10), [whole("a", 10)]);
        let of_branch = lineage("c", &[("a", 10, 10), ("b", 20, 20)]);
        assert_eq!(branch(&of_branch, 30, 30), [whole("a", 10), whole("b", 20), whole("c", 30)]);
        assert_eq!(branch(&of_branch, 20, 20), [whole("a", 10), whole("b", 20)]);
        assert_eq!(branch(&of_branch, 5, 5), [whole("a", 5)]);
        let queued = lineage("b", &[("a", 10, 7)]);
        assert_eq!(branch(&queued, 9, 8), [("a".to_owned(), 9, 7)]);
        assert_eq!(branch(&queued, 30, 25), [("a".to_owned(), 10, 7), ("b".to_owned(), 30, 25)]);
    }
}
