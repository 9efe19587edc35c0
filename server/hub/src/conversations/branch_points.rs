//! Where a conversation goes on in more than one way, for whoever looks at one of its branches.

use crate::conversations::OwnConversations;
use crate::error::Result;
use crate::log::Lineage;
use crate::store::{FromRow, Row, query};
use protocol::ConversationId;
use protocol::view::BranchPoint;
use std::collections::{BTreeMap, BTreeSet};

/// A branch, and what it has something else instead of.
struct Left {
    branch: ConversationId,
    /// The branch that all others come from, which came from none of them.
    family: ConversationId,
    from: ConversationId,
    at: u64,
    /// The first entry of its own, once it has one.
    begins: Option<u64>,
}

impl OwnConversations<'_> {
    /// In the order of entries.
    pub(crate) async fn branch_points(self, shown: &Lineage) -> Result<Vec<BranchPoint>> {
        let branches: Vec<Left> = query(
            "SELECT o.id, o.family, o.branched_from, o.branched_at,
                    COALESCE((SELECT MIN(e.seq) FROM entries e WHERE e.conversation_id = o.id),
                             (SELECT p.first_seq FROM packed_conversations p WHERE p.conversation_id = o.id)) AS begins
             FROM conversations o JOIN conversations c ON c.family = o.family
             WHERE c.id = $1 AND o.branched_from IS NOT NULL ORDER BY o.created_at, o.id",
            (shown.conversation(),),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        Ok(points(shown, branches))
    }
}

fn points(shown: &Lineage, branches: Vec<Left>) -> Vec<BranchPoint> {
    let ranges = shown.ranges();
    let own: BTreeSet<ConversationId> = branches.iter().map(|left| left.branch.clone()).collect();
    let mut places: BTreeMap<(u64, ConversationId), Vec<Left>> = BTreeMap::new();
    for left in branches {
        places.entry((left.at, left.from.clone())).or_default().push(left);
    }
    let mut points = Vec::new();
    for ((at, from), branches) in places {
        let is_whole = ranges.iter().any(|range| *range.source == from && range.has_message(at));
        // What the family began with may be another conversation's.
        let root = branches.first().map(|left| left.family.clone());
        let from = root.filter(|_| !own.contains(&from)).unwrap_or(from);
        let within = branches.iter().position(|left| ranges.iter().any(|range| *range.source == left.branch));
        let (at, shown) = match within {
            Some(place) => (branches[place].begins, place + 1),
            None if is_whole => (Some(at), 0),
            None => continue,
        };
        // A branch of which nothing is written yet is shown when it is.
        let Some(at) = at else { continue };
        let branches = std::iter::once(from).chain(branches.into_iter().map(|left| left.branch)).collect();
        points.push(BranchPoint { at, branches, shown });
    }
    points.sort_by_key(|point| point.at);
    points
}

impl FromRow for Left {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            branch: row.get("id")?,
            family: row.get("family")?,
            from: row.get("branched_from")?,
            at: row.get("branched_at")?,
            begins: row.get("begins")?,
        })
    }
}
