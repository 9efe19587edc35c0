//! What stands far above the end goes, where a conversation has become long in an open page: it comes again as what came
//! before the page does.

use super::{Body, Thread};
use protocol::log::{Entry, EntryBody};
use protocol::view::BranchPoint;

/// Items from which on some go, and how many stay at least.
pub(super) const MOST_ITEMS: usize = 240;
pub(super) const KEPT: usize = 120;

impl Thread {
    /// The first of these entries to stay, if what stands before it is to go: something that was said while no run went
    /// on, so that nothing that stays hangs on what goes.
    pub fn first_to_stay(&self, entries: &[Entry]) -> Option<u64> {
        let seqs: Vec<u64> = self.items().map(|item| item.seq).collect();
        if self.is_at_work() || seqs.len() <= MOST_ITEMS {
            return None;
        }
        let latest = seqs[seqs.len() - KEPT..].iter().copied().min()?;
        let (mut goes_on, mut first) = (false, None);
        for entry in entries.iter().take_while(|entry| entry.seq <= latest) {
            match entry.body {
                EntryBody::RunFinished { .. } => goes_on = false,
                EntryBody::Message { .. } if !goes_on => first = Some(entry.seq),
                _ => goes_on |= entry.run.is_some(),
            }
        }
        first.filter(|first| entries.first().is_some_and(|entry| entry.seq < *first))
    }

    /// The same conversation, of which no more of the past is known than these entries, the last of its own.
    pub fn beginning_with(&self, entries: &[Entry]) -> Self {
        let first = entries.first().map_or(0, |entry| entry.seq);
        let stays = |point: &&BranchPoint| point.at >= first;
        let shown: Vec<&BranchPoint> = self
            .items()
            .filter_map(|item| match &item.body {
                Body::Branches { point, .. } => Some(point),
                _ => None,
            })
            .filter(stays)
            .collect();
        let branches = self.branches.iter().chain(shown.into_iter().rev()).cloned().collect();
        self.reaching_back(entries, &[], branches)
    }
}
