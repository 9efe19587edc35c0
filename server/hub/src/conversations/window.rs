//! The part of a conversation that a page shows: its end, or what stands before some entry. It is bounded
//! by what it costs to show and not by a number of entries, and read a few of them at a time.

use super::shorten::{Shortened, shorten};
use crate::error::{Error, Result};
use crate::log::{Kinds, Lineage};
use crate::store::{Store, query};
use protocol::approval::Approval;
use protocol::log::{Entry, EntryBody};
use protocol::{AgentId, ApprovalId, ConversationId};
use std::collections::BTreeSet;

/// What the entries of a page may weigh: about the bytes of HTML that they become.
const MAX_WINDOW_BYTES: usize = 160 * 1024;
/// Entries read at a time: each may have hundreds of kilobytes before it is shortened.
const STEP: usize = 16;
/// Open questions and waits that are shown wherever they stand.
const OPEN: i64 = 32;

/// Entries of a conversation, oldest first.
pub(crate) struct Window {
    pub(crate) entries: Vec<Entry>,
    /// The first of them, if others come before it.
    pub(crate) earlier: Option<u64>,
    /// Those that were shortened.
    pub(crate) cut: Vec<u64>,
}

impl Window {
    /// The last entries before `end`.
    pub(crate) async fn before(store: &Store, lineage: &Lineage, end: u64) -> Result<Self> {
        let mut window = Self { entries: Vec::new(), earlier: None, cut: Vec::new() };
        let (mut weight, mut before) = (0, end);
        'reading: loop {
            let entries = lineage.last(store, before, Kinds::All, STEP).await?;
            let is_first = entries.len() < STEP;
            for entry in entries {
                let Shortened { entry, weight: its, is_cut } = shorten(entry)?;
                weight += its;
                if weight > MAX_WINDOW_BYTES && !window.entries.is_empty() {
                    window.earlier = Some(before);
                    break 'reading;
                }
                before = entry.seq;
                window.cut.extend(is_cut.then_some(entry.seq));
                window.entries.push(entry);
            }
            if is_first {
                break;
            }
        }
        window.entries.reverse();
        window.cut.reverse();
        Ok(window)
    }

    /// Puts before the entries what a page has to know of those that it does not show: the run that they
    /// are in the middle of or how the last one ended, how large the last request was, what there is to do,
    /// and what waits for the person.
    pub(crate) async fn know_of_before(
        &mut self,
        store: &Store,
        agent: &AgentId,
        lineage: &Lineage,
        now: i64,
    ) -> Result<()> {
        let Some(first) = self.earlier else { return Ok(()) };
        let start = i64::try_from(first).map_err(Error::internal)?;
        let mut known = Vec::new();
        let begins = |entry: &Entry| matches!(entry.body, EntryBody::RunStarted { .. });
        let last_run = lineage.last(store, first, Kinds::Runs, 1).await?.pop();
        if let Some(last) = last_run {
            let is_open = begins(&last);
            if is_open && let Some(run) = &last.run {
                let waits: Vec<Entry> = query(
                    "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
                     WHERE run_id = $1 AND seq < $2 AND kind = 'device_wait' ORDER BY seq DESC LIMIT $3",
                    (run, start, OPEN),
                )
                .fetch_all(store.read())
                .await?;
                known.extend(waits);
            }
            if is_open || !self.entries.iter().any(begins) {
                known.push(last);
            }
        }
        if !self.entries.iter().any(|entry| matches!(entry.body, EntryBody::Todo { .. })) {
            known.extend(lineage.last(store, first, Kinds::Todo, 1).await?);
        }
        known.extend(last_request(store, lineage, first, &self.entries).await?);
        known.extend(questions(store, agent, lineage.conversation(), start, now).await?);
        known.sort_by_key(|entry| entry.seq);
        known.append(&mut self.entries);
        self.entries = known;
        Ok(())
    }
}

/// The entry that counts the last request, if none of these does.
async fn last_request(
    store: &Store,
    lineage: &Lineage,
    start: u64,
    shown: &[Entry],
) -> Result<Option<Entry>> {
    let counts = |entry: &Entry| matches!(entry.body, EntryBody::Used { aside: None, .. });
    if shown.iter().any(counts) {
        return Ok(None);
    }
    let entries = lineage.last(store, start, Kinds::Used, 4).await?;
    Ok(entries.into_iter().find(counts))
}

/// The entries before `start` that ask what nobody has answered, in this conversation or by the agent's page.
async fn questions(
    store: &Store,
    agent: &AgentId,
    conversation: &ConversationId,
    start: i64,
    now: i64,
) -> Result<Vec<Entry>> {
    let open: Vec<(ApprovalId, i64)> = query(
        "SELECT id, asked_at FROM approvals
         WHERE agent_id = $1 AND settled_at IS NULL AND expires_at > $2
           AND (conversation_id = $4 OR run_id IS NULL)
           AND user_id = (SELECT user_id FROM agents WHERE id = $1)
         ORDER BY asked_at LIMIT $3",
        (agent, now, OPEN, conversation),
    )
    .fetch_all(store.read())
    .await?;
    let Some((_, oldest)) = open.first().cloned() else { return Ok(Vec::new()) };
    let open = open.into_iter().map(|(id, _)| id).collect::<BTreeSet<_>>();
    let mut asked: Vec<Entry> = query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE agent_id = $1 AND seq < $2 AND kind = 'approval_asked' AND at >= $3 ORDER BY seq DESC
         LIMIT $4",
        (agent, start, oldest, OPEN),
    )
    .fetch_all(store.read())
    .await?;
    asked.retain(|entry| match &entry.body {
        EntryBody::ApprovalAsked { approval: Approval { id, .. } } => open.contains(id),
        _ => false,
    });
    Ok(asked)
}
