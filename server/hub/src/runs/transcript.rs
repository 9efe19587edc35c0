//! What a loop resumes from: a snapshot of its conversation, and the entries since. Each run that begins
//! takes the snapshot further, and now and then keeps it beside the log, so that a message costs what came
//! since the last one and not what was ever said.

use super::snapshot_cache::CachedSnapshot;
use crate::error::{Error, Result};
use crate::log::Lineage;
use crate::runs::Runs;
use crate::store::{Row, query};
use agent::context::Snapshot;
use agent::{Run, RunSpec};
use protocol::log::Entry;
use protocol::{ConversationId, RunId};

/// Entries since the snapshot in the store, and bytes of them, from which on the next run replaces it.
const ENTRIES_PER_SNAPSHOT: usize = 128;
const LONG_BYTES: usize = 256 * 1024;

/// A conversation as a run resumes it.
pub(super) struct Transcript {
    /// What came before the entries.
    past: Snapshot,
    pub(super) entries: Vec<Entry>,
}

impl Transcript {
    pub(super) fn resume(self, run: RunId, spec: RunSpec) -> Run {
        Run::resume_from(self.past, run, spec, &self.entries)
    }

    /// The same for a driver elsewhere: what came before as JSON, and the entries.
    pub(super) fn into_parts(self) -> (String, Vec<Entry>) {
        let past = serde_json::to_string(&self.past);
        (past.expect("a snapshot holds nothing that JSON cannot say"), self.entries)
    }
}

impl Runs<'_> {
    /// The conversation as a run with this spec resumes it that is under way: without what another model is to answer.
    pub(super) async fn transcript(self, of: &ConversationId, spec: &RunSpec) -> Result<Transcript> {
        let kept = self.kept_for_their_model(of).await?;
        let mut transcript = self.transcript_behind(of, spec, 0).await?;
        transcript.entries.retain(|entry| !kept.contains(&entry.seq));
        Ok(transcript)
    }

    /// The conversation as whoever looks at it reads it: what came before, and the entries since.
    pub(crate) async fn past_and_since(
        self,
        of: &ConversationId,
        spec: &RunSpec,
    ) -> Result<(Snapshot, Vec<Entry>)> {
        let Transcript { past, entries } = self.transcript_behind(of, spec, 0).await?;
        Ok((past, entries))
    }

    /// The same for a run that has just begun behind the entry `last`. Up to there nothing comes any more,
    /// so that the snapshot may reach as far.
    pub(super) async fn transcript_behind(
        self,
        conversation: &ConversationId,
        spec: &RunSpec,
        last: u64,
    ) -> Result<Transcript> {
        let rest = rest(spec);
        let mut kept = match self.hub.active_runs().recent.get(conversation, rest) {
            Some(kept) => kept,
            None => self.stored(conversation, spec, rest).await?,
        };
        let lineage = Lineage::of(self.hub.store().read(), conversation).await?;
        let (mut entries, mut after) = (Vec::new(), kept.seq);
        loop {
            let part = lineage.after(self.hub.store(), after).await?;
            after = part.entries.last().map_or(after, |entry| entry.seq);
            entries.extend(part.entries);
            let settled = entries.partition_point(|entry: &Entry| entry.seq <= last);
            for entry in entries.drain(..settled) {
                kept.seq = entry.seq;
                kept.snapshot.take(&entry);
            }
            if settled > 0 {
                kept.unsaved += settled;
                kept.unsaved_bytes += part.bytes;
            }
            if part.is_last {
                break;
            }
        }
        if kept.unsaved >= ENTRIES_PER_SNAPSHOT || kept.unsaved_bytes >= LONG_BYTES {
            self.save(conversation, &mut kept).await?;
        }
        let past = kept.snapshot.clone();
        self.hub.active_runs().recent.put(conversation, kept);
        Ok(Transcript { past, entries })
    }

    /// The snapshot in the store, if a run with this spec can go on from it; else an empty one.
    async fn stored(
        self,
        conversation: &ConversationId,
        spec: &RunSpec,
        rest: i64,
    ) -> Result<CachedSnapshot> {
        let row = query(
            "SELECT seq, body FROM snapshots WHERE conversation_id = $1 AND form = $2
             AND clear_after_ms = $3",
            (conversation, Snapshot::FORM, rest),
        )
        .fetch_optional::<Row>(self.hub.store().read())
        .await?;
        let Some(row) = row else {
            return Ok(CachedSnapshot::new(rest, 0, Snapshot::new(spec.clear_after_ms), 0));
        };
        let seq: i64 = row.get("seq")?;
        let body: String = row.get("body")?;
        let seq = u64::try_from(seq).map_err(Error::internal)?;
        Ok(CachedSnapshot::new(rest, seq, serde_json::from_str(&body)?, body.len()))
    }

    /// Replaces the snapshot in the store. Without it the log is read from further back, and no more.
    async fn save(self, conversation: &ConversationId, kept: &mut CachedSnapshot) -> Result<()> {
        let body = serde_json::to_string(&kept.snapshot)?;
        kept.bytes = body.len();
        match self.replace(conversation, kept, body).await {
            Ok(()) => (kept.unsaved, kept.unsaved_bytes) = (0, 0),
            Err(error) => {
                let failure = error.into_failure();
                tracing::warn!("no snapshot of conversation {conversation} is kept: {failure}");
            }
        }
        Ok(())
    }

    async fn replace(self, conversation: &ConversationId, kept: &CachedSnapshot, body: String) -> Result<()> {
        let mut tx = self.hub.store().write_uncached().await?;
        query(
            "INSERT INTO snapshots (conversation_id, seq, form, clear_after_ms, body)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (conversation_id) DO UPDATE SET seq = excluded.seq, form = excluded.form,
                 clear_after_ms = excluded.clear_after_ms, body = excluded.body",
            (conversation, kept.seq, Snapshot::FORM, kept.rest, body),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

/// The rest after which the agent begins anew, in milliseconds; -1: it never does.
fn rest(spec: &RunSpec) -> i64 {
    spec.clear_after_ms.map_or(-1, |rest| i64::try_from(rest).unwrap_or(i64::MAX))
}
