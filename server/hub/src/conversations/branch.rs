//! Branches: conversations that begin as another one went up to some message or answer. Cut is between runs: a
//! run belongs to a branch whole or not at all.

use super::DraftChange;
use super::changes::require_room;
use crate::clock::new_id;
use crate::conversations::OwnConversations;
use crate::error::{Error, Result};
use crate::log::{Appending, Kinds, Lineage, Segment};
use crate::store::{FromRow, Row, query};
use protocol::log::{Class, Entry, EntryBody, RunEvent, Sender};
use protocol::view::ConversationView;
use protocol::{AgentId, ConversationId, RunId};

/// Most branches of one conversation.
const MAX_BRANCHES: i64 = 200;
/// Entries looked at for what came first in a branch: devices may be told of before.
const FIRST: i64 = 8;

/// A branch that is not written yet.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) id: ConversationId,
    agent: AgentId,
    /// The conversation whose title and place in the list it takes.
    pub(crate) of: ConversationId,
    segments: Vec<Segment>,
    /// What it has something else instead of. Without, it is a conversation of its own in the list.
    instead: Option<Instead>,
    /// The message that is said otherwise here, and where: nobody is to answer it any more, or what came after.
    pub(crate) rewritten: Option<(ConversationId, u64)>,
}

#[derive(Clone, Debug)]
struct Instead {
    /// The branch that has it.
    of: ConversationId,
    /// The first entry of it.
    entry: u64,
}

/// Where a conversation is cut.
struct Cut {
    end: u64,
    messages_end: u64,
}

impl OwnConversations<'_> {
    /// A branch in which something else is said than this message.
    pub(crate) async fn instead_of_message(self, id: &ConversationId, seq: u64) -> Result<Branch> {
        let (of, lineage) = self.lineage(id).await?;
        let message = self.entry(&lineage, seq).await?;
        if !matches!(&message.body, EntryBody::Message { from, .. } if from.speaks_for_person()) {
            return Err(Error::invalid("Only what you wrote yourself can be written again."));
        }
        let cut = self.cut_before(&lineage, seq).await?.ok_or_else(|| {
            Error::Conflict(
                "The agent read this while it was at work. Write the message before it again.".to_owned(),
            )
        })?;
        let rewritten = message.conversation.map(|conversation| (conversation, seq));
        Ok(Branch { rewritten, ..self.branch(of, &lineage, &cut, Some(seq)).await? })
    }

    /// Where a conversation ends before this message. `None`: a run that was under way read it.
    async fn cut_before(self, lineage: &Lineage, seq: u64) -> Result<Option<Cut>> {
        let last = lineage.last(self.scoped.hub.store(), seq, Kinds::Runs, 1).await?.pop();
        let Some(Entry { seq: begun, run: Some(run), body: EntryBody::RunStarted { .. }, .. }) = last else {
            return Ok(Some(Cut { end: seq, messages_end: seq }));
        };
        let end = self.end_of(lineage, &run).await?.ok_or_else(at_work)?;
        let is_unread = self.unread_within(lineage, begun, end).await?.contains(&seq);
        Ok(is_unread.then_some(Cut { end: end + 1, messages_end: seq }))
    }

    /// A branch in which another answer is given than that of this run, and the answer is given by whoever
    /// writes the branch.
    pub(crate) async fn instead_of_run(self, id: &ConversationId, run: &RunId) -> Result<Branch> {
        let (of, lineage) = self.lineage(id).await?;
        let begun = self.beginning_of(&lineage, run).await?;
        self.end_of(&lineage, run).await?.ok_or_else(at_work)?;
        self.branch(of, &lineage, &Cut { end: begun, messages_end: begun }, Some(begun)).await
    }

    /// Begins a conversation of its own that has everything of this one up to the answer of `run`.
    pub async fn fork(self, id: &ConversationId, run: &RunId) -> Result<ConversationView> {
        let (of, lineage) = self.lineage(id).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let begun = self.beginning_of(&lineage, run).await?;
        let end = self.end_of(&lineage, run).await?.ok_or_else(at_work)?;
        let messages_end =
            self.unread_within(&lineage, begun, end).await?.first().copied().unwrap_or(end + 1);
        let branch = self.branch(of, &lineage, &Cut { end: end + 1, messages_end }, None).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        appending.insert_branch(&branch).await?;
        self.scoped.hub.log().commit(appending).await?;
        self.get(&branch.id).await
    }

    /// Begins a conversation of its own that has everything of this one before a message of the person's, whose words
    /// and files stand where the next one is written.
    pub async fn fork_before(self, id: &ConversationId, seq: u64) -> Result<ConversationView> {
        let (of, lineage) = self.lineage(id).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let (text, files) = match self.entry(&lineage, seq).await?.body {
            EntryBody::Message { from, text, attachments } if from.speaks_for_person() => (text, attachments),
            _ => {
                return Err(Error::invalid(
                    "A conversation begins before a message of yours, or after an answer.",
                ));
            }
        };
        let cut = self.cut_before(&lineage, seq).await?.ok_or_else(|| {
            Error::Conflict(
                "The agent read this while it was at work. Branch before the message that it began with."
                    .to_owned(),
            )
        })?;
        let branch = self.branch(of, &lineage, &cut, None).await?;
        let mut appending = self.scoped.hub.log().appending().await?;
        appending.insert_branch(&branch).await?;
        self.scoped.hub.log().commit(appending).await?;
        let files: Vec<_> = files.into_iter().map(|file| file.id).collect();
        let change = DraftChange { text: Some(&text), attach: &files, ..DraftChange::default() };
        match self.keep_draft(&branch.id, change).await {
            // It begins all the same.
            Ok(_) | Err(Error::Limit(_)) => self.get(&branch.id).await,
            Err(error) => Err(error),
        }
    }

    pub(super) async fn lineage(self, id: &ConversationId) -> Result<(ConversationView, Lineage)> {
        let of = self.get(id).await?;
        if of.deleted {
            return Err(Error::NotFound("conversation"));
        }
        let store = self.scoped.hub.store();
        let lineage = Lineage::of(store.read(), id).await?;
        lineage.bring_back(store).await?;
        Ok((of, lineage))
    }

    async fn branch(
        self,
        of: ConversationView,
        lineage: &Lineage,
        cut: &Cut,
        instead: Option<u64>,
    ) -> Result<Branch> {
        let mut segments = lineage.until(cut.end, cut.messages_end);
        let instead = match instead {
            Some(entry) => Some(self.instead(&of.id, &mut segments, entry).await?),
            None => None,
        };
        let id = ConversationId(new_id());
        Ok(Branch { id, agent: of.agent, of: of.id, segments, instead, rewritten: None })
    }

    /// What the branch leaves. Where that is the first thing in a branch, both leave the same.
    async fn instead(
        self,
        conversation: &ConversationId,
        segments: &mut Vec<Segment>,
        entry: u64,
    ) -> Result<Instead> {
        let last = segments.last().map(|last| last.source.clone());
        let of = last.ok_or(Error::NotFound("message"))?;
        let earlier: Option<Instead> = query(
            "SELECT branched_from, branched_at FROM conversations
             WHERE id = $1 AND branched_from IS NOT NULL
               AND family = (SELECT c.family FROM conversations c WHERE c.id = $2)",
            (&of, conversation),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        match earlier {
            Some(earlier) if !self.has_begun(&of, entry).await? => {
                segments.pop();
                Ok(earlier)
            }
            Some(_) | None => Ok(Instead { of, entry }),
        }
    }

    /// Whether something was said or done in this branch itself before the entry.
    async fn has_begun(self, branch: &ConversationId, entry: u64) -> Result<bool> {
        let first: Vec<Row> = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE conversation_id = $1 AND seq < $2 ORDER BY seq LIMIT $3",
            (branch, entry, FIRST),
        )
        .fetch_all(self.scoped.hub.store().read())
        .await?;
        for row in &first {
            match Entry::from_row(row)?.body.class() {
                Class::Said {
                    from:
                        Sender::Devices
                        | Sender::Todo
                        | Sender::Rating
                        | Sender::Context { .. }
                        | Sender::PageEmit { .. },
                    ..
                } => {}
                Class::Said { .. } | Class::Run(RunEvent::Started { .. }) => return Ok(true),
                Class::Run(_)
                | Class::Reply(_)
                | Class::Call(_)
                | Class::Loop(_)
                | Class::Compaction(_)
                | Class::HubNotice { .. }
                | Class::Used { .. }
                | Class::Agent(_) => {}
            }
        }
        Ok(false)
    }

    pub(super) async fn entry(self, lineage: &Lineage, seq: u64) -> Result<Entry> {
        // Its own conversation is asked, so that the entry is as the log has it.
        let mut found = None;
        for range in lineage.ranges() {
            let row = query(
                "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
                 WHERE conversation_id = $1 AND seq = $2",
                (range.source, seq),
            )
            .fetch_optional::<Row>(self.scoped.hub.store().read())
            .await?;
            if let Some(row) = row {
                found = Some(Entry::from_row(&row)?);
            }
        }
        found.filter(|entry| lineage.holds(entry)).ok_or(Error::NotFound("message"))
    }

    async fn beginning_of(self, lineage: &Lineage, run: &RunId) -> Result<u64> {
        let begun = lineage.beginning_of(self.scoped.hub.store(), run).await?;
        begun.map(|entry| entry.seq).ok_or(Error::NotFound("answer"))
    }

    /// The last entry of the run. `None`: it is under way.
    async fn end_of(self, lineage: &Lineage, run: &RunId) -> Result<Option<u64>> {
        let end: Option<u64> = query(
            "SELECT seq FROM entries WHERE run_id = $1 AND kind = 'run_finished' ORDER BY seq DESC LIMIT 1",
            (run,),
        )
        .fetch_optional(self.scoped.hub.store().read())
        .await?;
        let is_within = |end: &u64| lineage.ranges().iter().any(|range| range.has(*end));
        Ok(end.filter(is_within))
    }

    /// The messages that came during a run and that it did not read, behind the last that it did: what stands
    /// between others that it read goes with them.
    async fn unread_within(self, lineage: &Lineage, begun: u64, end: u64) -> Result<Vec<u64>> {
        let mut unread = Vec::new();
        for range in lineage.ranges().iter().filter(|range| range.has(begun)) {
            let rows: Vec<Row> = query(
                "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
                 WHERE conversation_id = $1 AND seq > $2 AND seq < $3 AND kind IN ('message', 'steered')
                 ORDER BY seq",
                (range.source, begun, end),
            )
            .fetch_all(self.scoped.hub.store().read())
            .await?;
            for row in &rows {
                match Entry::from_row(row)? {
                    Entry { body: EntryBody::Steered { seq, .. }, .. } => unread.retain(|other| *other > seq),
                    Entry { seq, .. } => unread.push(seq),
                }
            }
        }
        Ok(unread)
    }
}

impl Appending {
    /// It is the conversation used last from then on.
    pub(crate) async fn insert_branch(&mut self, branch: &Branch) -> Result<()> {
        require_room(&mut self.tx, &branch.agent).await?;
        let branches: i64 = query(
            "SELECT COUNT(*) FROM conversations
             WHERE family = (SELECT c.family FROM conversations c WHERE c.id = $1)",
            (&branch.of,),
        )
        .fetch_one(&mut *self.tx)
        .await?;
        if branch.instead.is_some() && branches >= MAX_BRANCHES {
            return Err(Error::Limit(format!(
                "A conversation has at most {MAX_BRANCHES} branches. Go on in a new one."
            )));
        }
        let (left, at) = match &branch.instead {
            Some(Instead { of, entry }) => (Some(of), Some(*entry)),
            None => (None, None),
        };
        let inserted = query(
            "INSERT INTO conversations (id, agent_id, created_at, used_at, place, title, titled_by, model, temporary, pinned_at,
                                        folder, family, branched_from, branched_at)
             SELECT $1, c.agent_id, CAST($3 AS BIGINT), CAST($3 AS BIGINT),
                    (SELECT MAX(o.place) + 1 FROM conversations o WHERE o.agent_id = c.agent_id),
                    c.title, c.titled_by, c.model, c.temporary, CASE WHEN $4 IS NULL THEN NULL ELSE c.pinned_at END,
                    c.folder,
                    CASE WHEN $4 IS NULL THEN $1 ELSE c.family END, $4, $5
             FROM conversations c WHERE c.id = $2 AND c.deleted_at IS NULL",
            (&branch.id, &branch.of, self.now(), left, at),
        )
        .execute(&mut *self.tx)
        .await?;
        if inserted == 0 {
            return Err(Error::NotFound("conversation"));
        }
        let end = branch.segments.last().map_or(0, |last| last.end.min(last.messages_end));
        self.tell_anew(&branch.id, &branch.of, end).await?;
        if let Some((of, from)) = &branch.rewritten {
            query(
                "DELETE FROM unread_messages WHERE agent_id = $1 AND conversation_id = $2 AND seq >= $3",
                (&branch.agent, of, *from),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        self.insert_segments(&branch.id, &branch.segments).await
    }

    /// What a branch has of others, oldest first.
    pub(crate) async fn insert_segments(
        &mut self,
        branch: &ConversationId,
        segments: &[Segment],
    ) -> Result<()> {
        for (ordinal, segment) in segments.iter().enumerate() {
            query(
                "INSERT INTO conversation_segments (conversation_id, ordinal, source_id, end_seq, messages_end)
                 VALUES ($1, $2, $3, $4, $5)",
                (branch, ordinal, &segment.source, segment.end, segment.messages_end),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}

impl FromRow for Instead {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { of: row.get("branched_from")?, entry: row.get("branched_at")? })
    }
}

fn at_work() -> Error {
    Error::Conflict("The agent is still at work on this. Stop it first, or wait until it is done.".to_owned())
}
