//! The log: appending with a sequence number that the commit assigns, and reading.

mod lineage;
pub(crate) mod packed;
mod past;

pub(crate) use lineage::{Kinds, Lineage, Segment};
pub(crate) use past::PastEntry;

use crate::Hub;
use crate::error::{Error, Result};
use crate::store::{FromRow, Json, Row, Store, Transaction, query};
use crate::tally::Tally;
use futures_util::TryStreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use protocol::approval::Asker;
use protocol::hub::Noun;
use protocol::log::{
    AgentEvent, CallEvent, Class, DeviceWait, Entry, EntryBody, NoticeKind, Outcome, ReplyEvent, RunEvent,
    Sender,
};
use protocol::model::{Block, ModelFailureKind};
use protocol::{AgentId, ConversationId, RunId, UserId};

/// The logs of all agents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Log<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn log(&self) -> Log<'_> {
        Log { hub: self }
    }
}

/// Entries read at a time, and bytes of them after which no more are read.
const PART: usize = 500;
const PART_BYTES: usize = 1024 * 1024;
/// Longest `last_line` of an agent, in characters.
const LINE: usize = 140;

/// Where an entry belongs.
#[derive(Clone, Debug)]
pub(crate) struct EntryScope {
    pub(crate) agent: AgentId,
    pub(crate) conversation: Option<ConversationId>,
    pub(crate) run: Option<RunId>,
}

/// A transaction that collects entries, to be published when it is committed.
pub(crate) struct Appending {
    pub(crate) tx: Transaction,
    now: i64,
    entries: Vec<Entry>,
    /// What was used by these is booked by it.
    booked: Vec<Tally>,
    projections: &'static [&'static dyn Projection],
}

/// What a noun above the log keeps of its entries, written in the transaction that appends them: the hub is opened
/// with all of them.
pub(crate) trait Projection: Send + Sync {
    /// The entry `seq` was just appended.
    fn project<'a>(
        &'a self,
        appending: &'a mut Appending,
        place: &'a EntryScope,
        seq: i64,
        body: &'a EntryBody,
    ) -> BoxFuture<'a, Result<()>>;
}

/// Who has to know of what was committed.
pub(crate) trait Observer: Send + Sync {
    /// Called in the order of the log.
    fn committed(&self, entries: &[Entry]);
}

impl Log<'_> {
    pub(crate) async fn appending(self) -> Result<Appending> {
        Ok(self.appending_in(self.hub.store().write().await?))
    }

    /// For entries beside which nothing is written that anybody remembers.
    pub(crate) async fn appending_alone(self) -> Result<Appending> {
        Ok(self.appending_in(self.hub.store().write_uncached().await?))
    }

    fn appending_in(self, tx: Transaction) -> Appending {
        Appending {
            tx,
            now: self.hub.now(),
            entries: Vec::new(),
            booked: Vec::new(),
            projections: self.hub.0.projections,
        }
    }

    /// Commits, then tells everyone who follows, in the order of the log.
    pub(crate) async fn commit(self, appending: Appending) -> Result<()> {
        let Appending { tx, entries, booked, now: _, projections: _ } = appending;
        let hub = self.hub.clone();
        tx.commit_then(move || {
            booked.iter().for_each(Tally::close);
            hub.0.observers.iter().for_each(|observer| observer.committed(&entries));
        })
        .await
    }
}

impl Appending {
    /// Takes everything back. What it saw stands for all who read.
    pub(crate) async fn give_up(self) -> Result<()> {
        self.tx.rollback().await
    }

    /// What this call used stands in the books with the commit, and is owed no more.
    pub(crate) fn books(&mut self, tally: Tally) {
        self.booked.push(tally);
    }

    /// When this transaction began, in Unix milliseconds.
    pub(crate) fn now(&self) -> i64 {
        self.now
    }

    pub(crate) async fn append(&mut self, place: &EntryScope, body: EntryBody) -> Result<u64> {
        self.append_numbered(place, None, body).await
    }

    /// Appends the loop's own entry `ordinal`.
    pub(crate) async fn append_numbered(
        &mut self,
        place: &EntryScope,
        ordinal: Option<u32>,
        body: EntryBody,
    ) -> Result<u64> {
        let effect = OnAgent::of(&body);
        let text = serde_json::to_string(&body)?;
        let (seq, owner): (i64, UserId) = query(
            "UPDATE agents SET last_seq = last_seq + 1, updated_at = $2,
                 status = COALESCE($3, status), last_line = COALESCE($4, last_line),
                 message_count = message_count + $5,
                 input_tokens = input_tokens + $6, output_tokens = output_tokens + $7,
                 cost = CASE WHEN $8 IS NULL THEN cost ELSE COALESCE(cost, 0) + $8 END,
                 skin_version = COALESCE($9, skin_version),
                 log_bytes = log_bytes + $10
             WHERE id = $1 RETURNING last_seq, user_id",
            (
                &place.agent,
                self.now,
                effect.status,
                effect.last_line,
                effect.messages,
                effect.input_tokens,
                effect.output_tokens,
                effect.cost,
                effect.skin_version,
                text.len(),
            ),
        )
        .fetch_optional(&mut *self.tx)
        .await?
        .ok_or(Error::NotFound("agent"))?;
        if says_how_it_stands(&body) {
            self.tx.changes(&owner, Noun::Agents);
        }
        // The statement before this one may have waited for whoever packs, and sees what there was before that.
        let packed: i64 = query(
            "INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, ordinal, kind, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             RETURNING (SELECT COUNT(*) FROM packed_conversations p WHERE p.conversation_id = $4)
                 + (SELECT COUNT(*) FROM conversation_segments g
                    JOIN packed_conversations p ON p.conversation_id = g.source_id WHERE g.conversation_id = $4)",
            (
                &place.agent,
                seq,
                self.now,
                &place.conversation,
                &place.run,
                ordinal.map(i64::from),
                body.kind(),
                text,
            ),
        )
        .fetch_one(&mut *self.tx)
        .await?;
        if let Some(conversation) = place.conversation.as_ref().filter(|_| packed > 0) {
            packed::unpack(&mut self.tx, conversation).await?;
        }
        for projection in self.projections {
            projection.project(self, place, seq, &body).await?;
        }
        let seq = u64::try_from(seq).map_err(Error::internal)?;
        self.entries.push(Entry {
            agent: place.agent.clone(),
            seq,
            at: self.now,
            conversation: place.conversation.clone(),
            run: place.run.clone(),
            body,
        });
        Ok(seq)
    }
}

/// The entries of an agent with `seq > after`, as many as are read at a time, oldest first. What is damaged is left out.
pub(crate) async fn entries_after(store: &Store, agent: &AgentId, after: u64) -> Result<LogPart> {
    let first = packed::first_after(store, agent, stored(after)).await?;
    let read = part_after(store, agent, after).await?;
    let upto = read.entries.last().filter(|_| !read.is_last).map_or(i64::MAX, |last| stored(last.seq));
    let brought = packed::bring_back_between(store, agent, first, stored(after), upto).await?;
    let part = if brought.came { part_after(store, agent, after).await? } else { read };
    Ok(part.with(brought.read))
}

async fn part_after(store: &Store, agent: &AgentId, after: u64) -> Result<LogPart> {
    let rows = query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE agent_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        (agent, stored(after), PART),
    )
    .fetch(store.read())?;
    part(store, rows).await
}

/// The entry of the agent with this number.
pub(crate) async fn entry_at(store: &Store, agent: &AgentId, seq: u64) -> Result<Option<Entry>> {
    if let Some(entry) = read_entry(store, agent, seq).await? {
        return Ok(Some(entry));
    }
    let before = stored(seq).saturating_sub(1);
    let mut brought = packed::bring_back_between(store, agent, None, before, stored(seq)).await?;
    let entry = read_entry(store, agent, seq).await?;
    let entry = entry.or_else(|| brought.read.pop().map(|(_, entry)| entry));
    match (entry, brought.damaged.pop()) {
        (None, Some(damaged)) => Err(damaged.into()),
        (entry, _) => Ok(entry),
    }
}

async fn read_entry(store: &Store, agent: &AgentId, seq: u64) -> Result<Option<Entry>> {
    query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries WHERE agent_id = $1 AND seq = $2",
        (agent, stored(seq)),
    )
    .fetch_optional(store.read())
    .await
}

/// A part of a log, so many entries and bytes however long the log is.
pub(crate) struct LogPart {
    pub(crate) entries: Vec<Entry>,
    /// Of their bodies, as they are stored.
    pub(crate) bytes: usize,
    /// Nothing is behind it.
    pub(crate) is_last: bool,
}

impl LogPart {
    /// With these entries in their places, which are no rows, each with the bytes of its body.
    fn with(mut self, read: Vec<(usize, Entry)>) -> Self {
        // What comes behind rows that are not read yet comes with them.
        let end = self.entries.last().map(|last| last.seq).filter(|_| !self.is_last);
        let mut bytes = 0;
        for (size, entry) in read.into_iter().filter(|(_, entry)| end.is_none_or(|end| entry.seq < end)) {
            if bytes >= PART_BYTES {
                self.entries.retain(|before| before.seq < entry.seq);
                self.is_last = false;
                break;
            }
            bytes += size;
            self.entries.push(entry);
        }
        self.entries.sort_by_key(|entry| entry.seq);
        self.is_last &= self.entries.len() < PART;
        self.entries.truncate(PART);
        self.bytes += bytes;
        self
    }
}

async fn part(store: &Store, mut rows: BoxStream<'_, Result<Row>>) -> Result<LogPart> {
    let mut part = LogPart { entries: Vec::new(), bytes: 0, is_last: false };
    while part.bytes < PART_BYTES {
        let Some(row) = rows.try_next().await? else {
            part.is_last = part.entries.len() < PART;
            break;
        };
        part.bytes += row.len("body")?;
        part.entries.push(Entry::from_row(&row)?);
    }
    store.has_read(part.entries.len());
    Ok(part)
}

/// All entries of a run, oldest first.
pub(crate) async fn run_entries(store: &Store, run: &RunId) -> Result<Vec<Entry>> {
    let mut entries = read_run(store, run).await?;
    if entries.is_empty() && packed::bring_back_run(store, run).await? {
        entries = read_run(store, run).await?;
    }
    store.has_read(entries.len());
    Ok(entries)
}

async fn read_run(store: &Store, run: &RunId) -> Result<Vec<Entry>> {
    query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE run_id = $1 ORDER BY seq",
        (run,),
    )
    .fetch_all(store.read())
    .await
}

/// What this run said and asked, and its end.
pub(crate) async fn run_texts(store: &Store, run: &RunId) -> Result<Vec<Entry>> {
    let mut entries = read_run_texts(store, run).await?;
    if entries.is_empty() && packed::bring_back_run(store, run).await? {
        entries = read_run_texts(store, run).await?;
    }
    store.has_read(entries.len());
    Ok(entries)
}

async fn read_run_texts(store: &Store, run: &RunId) -> Result<Vec<Entry>> {
    query(
        "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
         WHERE run_id = $1 AND kind IN ('block', 'notice', 'approval_asked', 'approval_settled', 'used', 'run_finished')
         ORDER BY seq",
        (run,),
    )
    .fetch_all(store.read())
    .await
}

/// The run of the conversation that ended last, and how.
pub(crate) async fn last_end(
    store: &Store,
    conversation: &ConversationId,
) -> Result<Option<(RunId, Outcome)>> {
    let lineage = Lineage::of(store.read(), conversation).await?;
    let last = lineage.last(store, u64::MAX, Kinds::RunEnds, 1).await?.pop();
    let Some(Entry { run: Some(run), body: EntryBody::RunFinished { outcome, .. }, .. }) = last else {
        return Ok(None);
    };
    Ok(Some((run, outcome)))
}

impl FromRow for Entry {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            agent: row.get("agent_id")?,
            seq: row.get("seq")?,
            at: row.get("at")?,
            conversation: row.get("conversation_id")?,
            run: row.get("run_id")?,
            body: row.get::<Json<_>>("body")?.0,
        })
    }
}

/// What an entry changes in the agent's read model.
#[derive(Default)]
struct OnAgent {
    status: Option<&'static str>,
    last_line: Option<String>,
    messages: i64,
    input_tokens: i64,
    output_tokens: i64,
    cost: Option<i64>,
    skin_version: Option<i64>,
}

impl OnAgent {
    fn of(body: &EntryBody) -> Self {
        let said = |text: &str| Self { last_line: Some(first_line(text)), messages: 1, ..Self::default() };
        let status = |status| Self { status: Some(status), ..Self::default() };
        match body.class() {
            Class::Said {
                from: Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. },
                ..
            } => Self::default(),
            Class::Said { text: "", attachments: [first, ..], .. } => said(&first.name),
            Class::Said { text, .. } => said(text),
            Class::Reply(ReplyEvent::Block { block: Block::Text { text }, .. }) => said(text),
            Class::Run(RunEvent::Started { .. }) => status("running"),
            Class::Run(RunEvent::Finished { outcome }) => status(status_after(outcome)),
            Class::Call(CallEvent::DeviceWait { wait: DeviceWait::Begun { .. } }) => status("waiting"),
            Class::Call(CallEvent::ApprovalAsked { approval }) if approval.asker == Asker::Model => {
                status("waiting")
            }
            Class::HubNotice { kind: NoticeKind::GivenUp } => status("idle"),
            Class::Used { usage, cost, .. } => Self {
                input_tokens: to_i64(usage.prompt()),
                output_tokens: to_i64(usage.output),
                cost: cost.map(|cost| cost.0),
                ..Self::default()
            },
            Class::Agent(AgentEvent::Skin { version, .. }) => {
                Self { skin_version: Some(to_i64(version)), ..Self::default() }
            }
            Class::Run(RunEvent::Moved)
            | Class::Reply(_)
            | Class::Call(_)
            | Class::Loop(_)
            | Class::Compaction(_)
            | Class::HubNotice { .. }
            | Class::Agent(_) => Self::default(),
        }
    }
}

/// Whether pages with several agents show something else after it: who is at work, who waits, and what was used.
fn says_how_it_stands(body: &EntryBody) -> bool {
    match body.class() {
        Class::Run(_)
        | Class::Used { .. }
        | Class::Call(
            CallEvent::DeviceWait { .. } | CallEvent::ApprovalAsked { .. } | CallEvent::ApprovalSettled,
        )
        | Class::HubNotice { kind: NoticeKind::GivenUp } => true,
        Class::Call(CallEvent::Started { .. } | CallEvent::Finished { .. })
        | Class::HubNotice { .. }
        | Class::Said { .. }
        | Class::Reply(_)
        | Class::Loop(_)
        | Class::Compaction(_)
        | Class::Agent(_) => false,
    }
}

fn status_after(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Completed | Outcome::Stopped => "idle",
        Outcome::Failed { failure } if failure.kind == ModelFailureKind::OverBudget => "waiting",
        Outcome::RoundLimit | Outcome::Failed { .. } | Outcome::Interrupted { .. } => "error",
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(LINE).collect()
}

/// As the store counts.
pub(crate) fn stored(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

fn to_i64(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
