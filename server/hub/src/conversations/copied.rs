//! The conversations of an agent in another one that is made as its copy: what was said, in every branch, in entries and
//! runs of the copy's own. What was spent on it, and what the hub noted of pages, devices and questions, stays.

use crate::agents;
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::log::packed::{self, Damaged};
use crate::log::{Appending, EntryScope, PastEntry};
use crate::store::{FromRow, Row, query};
use protocol::log::{Entry, EntryBody, Mark};
use protocol::{AgentId, ConversationId, RunId};
use std::collections::HashMap;

/// Entries read at a time.
const PAGE: i64 = 200;
/// Bytes of a log that is copied: all of it is told to whoever follows in one commit.
const MOST_BYTES: i64 = 32 * 1024 * 1024;

/// A conversation of the original.
struct Origin {
    id: ConversationId,
    family: ConversationId,
    branched_from: Option<ConversationId>,
    branched_at: Option<u64>,
}

/// How far the copy is.
struct Copying {
    to: AgentId,
    conversations: HashMap<ConversationId, ConversationId>,
    runs: HashMap<RunId, RunId>,
    /// The numbers of entries in the original, and in the copy.
    seqs: Vec<(u64, u64)>,
    /// Entries of one conversation that are not written yet, with their numbers in the original.
    waiting: Vec<(u64, PastEntry)>,
    place: Option<ConversationId>,
}

impl Appending {
    /// Those that are damaged stay, and are given.
    pub(crate) async fn copy_conversations(&mut self, from: &AgentId, to: &AgentId) -> Result<Vec<Damaged>> {
        self.require_at_rest(from).await?;
        let damaged = packed::unpack_all(&mut self.tx, from).await?;
        let origins: Vec<Origin> = query(
            "SELECT c.id, c.family, c.branched_from, c.branched_at FROM conversations c
             WHERE c.agent_id = $1 AND c.temporary = 0
               AND (c.deleted_at IS NULL
                    OR EXISTS (SELECT 1 FROM conversation_segments s WHERE s.source_id = c.id))
               AND (EXISTS (SELECT 1 FROM entries e WHERE e.conversation_id = c.id)
                    OR EXISTS (SELECT 1 FROM conversation_segments g WHERE g.conversation_id = c.id))
             ORDER BY c.created_at, c.id",
            (from,),
        )
        .fetch_all(&mut *self.tx)
        .await?;
        let mut copying = Copying {
            to: to.clone(),
            conversations: origins
                .iter()
                .map(|origin| (origin.id.clone(), ConversationId(new_id())))
                .collect(),
            runs: HashMap::new(),
            seqs: Vec::new(),
            waiting: Vec::new(),
            place: None,
        };
        self.copy_entries(from, &mut copying).await?;
        for origin in &origins {
            self.copy_conversation(from, origin, &copying).await?;
        }
        query(
            "INSERT INTO agent_attachments (agent_id, attachment_id, by_tool)
             SELECT $2, attachment_id, by_tool FROM agent_attachments WHERE agent_id = $1",
            (from, to),
        )
        .execute(&mut *self.tx)
        .await?;
        Ok(damaged)
    }

    /// Until the commit nothing is said in it.
    async fn require_at_rest(&mut self, agent: &AgentId) -> Result<()> {
        agents::lock(&mut self.tx, agent).await?;
        let bytes: i64 = query("SELECT log_bytes FROM agents WHERE id = $1", (agent,))
            .fetch_optional(&mut *self.tx)
            .await?
            .ok_or(Error::NotFound("agent"))?;
        if bytes > MOST_BYTES {
            return Err(Error::Limit(format!(
                "What was said with this agent has more than {} MB. Copy it without its conversations.",
                MOST_BYTES / (1024 * 1024)
            )));
        }
        let is_at_work = query("SELECT 1 FROM runs WHERE agent_id = $1 AND running = 1", (agent,))
            .exists(&mut *self.tx)
            .await?;
        if is_at_work {
            return Err(Error::Conflict(
                "The agent is at work. Wait until it is done, or stop it, and copy it with its conversations then."
                    .to_owned(),
            ));
        }
        Ok(())
    }

    async fn copy_entries(&mut self, from: &AgentId, copying: &mut Copying) -> Result<()> {
        let mut after = 0_i64;
        loop {
            let rows = query(
                "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
                 WHERE agent_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
                (from, after, PAGE),
            )
            .fetch_all::<Row>(&mut *self.tx)
            .await?;
            let Some(last) = rows.last() else { break };
            after = last.get("seq")?;
            for row in &rows {
                self.copy_entry(Entry::from_row(row)?, copying).await?;
            }
        }
        self.write_waiting(copying).await
    }

    async fn copy_entry(&mut self, entry: Entry, copying: &mut Copying) -> Result<()> {
        let Entry { seq, at, conversation, run, body, .. } = entry;
        let place = conversation.and_then(|conversation| copying.conversations.get(&conversation)).cloned();
        let Some(place) = place else { return Ok(()) };
        // What it names must have its number.
        if copying.place.as_ref() != Some(&place) || matches!(body, EntryBody::Steered { .. }) {
            self.write_waiting(copying).await?;
            copying.place = Some(place);
        }
        if let Some(body) = copying.body(body) {
            let run = run.map(|run| copying.run(run));
            copying.waiting.push((seq, PastEntry { at, run, body }));
        }
        Ok(())
    }

    async fn write_waiting(&mut self, copying: &mut Copying) -> Result<()> {
        if copying.waiting.is_empty() {
            return Ok(());
        }
        let (seqs, entries): (Vec<u64>, Vec<PastEntry>) =
            std::mem::take(&mut copying.waiting).into_iter().unzip();
        let place = EntryScope { agent: copying.to.clone(), conversation: copying.place.clone(), run: None };
        let last = self.append_past(&place, entries).await?;
        let last = u64::try_from(last).map_err(Error::internal)?;
        let first = last + 1 - seqs.len() as u64;
        copying.seqs.extend(seqs.into_iter().zip(first..));
        Ok(())
    }

    async fn copy_conversation(&mut self, from: &AgentId, origin: &Origin, copying: &Copying) -> Result<()> {
        let known = |id: &ConversationId| copying.conversations.get(id).cloned();
        let Some(id) = known(&origin.id) else { return Ok(()) };
        // What the person had deleted is no branch here.
        let family = known(&origin.family).unwrap_or_else(|| id.clone());
        let left = origin.branched_from.as_ref().and_then(known);
        let left_at = left.as_ref().and(origin.branched_at).map(|seq| copying.seq_from(seq));
        query(
            "INSERT INTO conversations (id, agent_id, title, titled_by, model, created_at, used_at, place, pinned_at,
                                        archived_at, deleted_at, folder, memories_at, family, branched_from,
                                        branched_at, brought_at)
             SELECT $2, $3, c.title, c.titled_by, c.model, c.created_at, c.used_at,
                    c.place - 1 - (SELECT MAX(o.place) FROM conversations o WHERE o.agent_id = $4), c.pinned_at,
                    c.archived_at, c.deleted_at, c.folder, c.memories_at, $5, $6, CAST($7 AS BIGINT),
                    CAST($8 AS BIGINT)
             FROM conversations c WHERE c.id = $1",
            (&origin.id, &id, &copying.to, from, family, left, left_at, self.now()),
        )
        .execute(&mut *self.tx)
        .await?;
        let segments: Vec<(ConversationId, u64, u64)> = query(
            "SELECT source_id, end_seq, messages_end FROM conversation_segments
             WHERE conversation_id = $1 ORDER BY ordinal",
            (&origin.id,),
        )
        .fetch_all(&mut *self.tx)
        .await?;
        for (ordinal, (source, end, messages_end)) in segments.into_iter().enumerate() {
            // Of one that is gone for good there is nothing to read; its place stays, so that the next begins behind it.
            let source = known(&source).unwrap_or_else(|| ConversationId(new_id()));
            query(
                "INSERT INTO conversation_segments (conversation_id, ordinal, source_id, end_seq, messages_end)
                 VALUES ($1, $2, $3, $4, $5)",
                (&id, ordinal, source, copying.seq_from(end), copying.seq_from(messages_end)),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}

impl Copying {
    fn run(&mut self, of: RunId) -> RunId {
        self.runs.entry(of).or_insert_with(|| RunId(new_id())).clone()
    }

    /// The number of the entry with this number, or of the first one behind it.
    fn seq_from(&self, seq: u64) -> u64 {
        let at = self.seqs.partition_point(|(old, _)| *old < seq);
        let behind_all = || self.seqs.last().map_or(1, |(_, new)| new + 1);
        self.seqs.get(at).map_or_else(behind_all, |(_, new)| *new)
    }

    /// The entry as the copy has it. `None`: it stays.
    fn body(&mut self, body: EntryBody) -> Option<EntryBody> {
        Some(match body {
            EntryBody::RunStarted { home, model, rounds, driver: _, unverified } => {
                EntryBody::RunStarted { home, model, rounds, driver: None, unverified }
            }
            EntryBody::Steered { turn, seq } => {
                let at = self.seqs.binary_search_by_key(&seq, |(old, _)| *old).ok()?;
                EntryBody::Steered { turn, seq: self.seqs[at].1 }
            }
            EntryBody::Digested { turn, upto } => EntryBody::Digested { turn, upto: self.mark(upto) },
            EntryBody::Summary { turn, by, upto, text } => {
                EntryBody::Summary { turn, by, upto: self.mark(upto), text }
            }
            body @ (EntryBody::Message { .. }
            | EntryBody::Block { .. }
            | EntryBody::TurnFinished { .. }
            | EntryBody::ToolStarted { .. }
            | EntryBody::ToolFinished { .. }
            | EntryBody::NotRun { .. }
            | EntryBody::Notice { .. }
            | EntryBody::Retrying { .. }
            | EntryBody::Clipped { .. }
            | EntryBody::RunFinished { .. }
            | EntryBody::Imported { .. }
            | EntryBody::Todo { .. }) => body,
            EntryBody::Moved { .. }
            | EntryBody::Used { .. }
            | EntryBody::Skin { .. }
            | EntryBody::State { .. }
            | EntryBody::ToolCreated { .. }
            | EntryBody::ToolDeleted { .. }
            | EntryBody::Permission { .. }
            | EntryBody::PageErrors { .. }
            | EntryBody::DeviceWait { .. }
            | EntryBody::ApprovalAsked { .. }
            | EntryBody::ApprovalSettled { .. }
            | EntryBody::Schedule { .. } => return None,
        })
    }

    fn mark(&mut self, mark: Mark) -> Mark {
        Mark { run: self.run(mark.run), turn: mark.turn }
    }
}

impl FromRow for Origin {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            family: row.get("family")?,
            branched_from: row.get("branched_from")?,
            branched_at: row.get("branched_at")?,
        })
    }
}
