//! Conversations that nobody has used for long, packed: one piece has all entries of one, compressed and with a digest,
//! in place of their rows. Whoever looks for entries of such a one finds none, and asks here: then they stand where
//! they stood, under the same numbers. So a conversation that has a row is whole.

mod reading;

pub(crate) use reading::{Found, ReadPiece, find, newest_page_errors, read};

use super::{PART, stored};
use crate::error::{Error, Result};
use crate::store::{Connection, FromRow, Row, Store, Transaction, query};
use agent::taint::Marks;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryStreamExt};
use protocol::log::Entry;
use protocol::{AgentId, ConversationId, RunId, told, words};
use reading::read_instead;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use std::io::{Read, Write};

/// Largest conversation that is packed, in entries and in bytes: it leaves its rows, and comes back, in one transaction.
const MOST_ENTRIES: usize = 10_000;
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// Entries that are found by their kind while they stay packed.
const PAGE_ERRORS: &str = "page_errors";
/// Rows that are written with one statement.
const ROWS: usize = 50;

/// An entry as its row has it.
#[derive(Serialize, Deserialize)]
pub(crate) struct PackedEntry {
    pub(crate) seq: i64,
    pub(crate) at: i64,
    run: Option<RunId>,
    ordinal: Option<i64>,
    pub(crate) kind: String,
    pub(crate) body: String,
}

/// All entries of a conversation.
pub(crate) struct Piece {
    first: i64,
    pub(crate) last: i64,
    entries: u64,
    bytes: usize,
    /// The number of the newest with errors of the page.
    page_errors: Option<i64>,
    digest: String,
    packed: Vec<u8>,
}

/// A conversation whose piece is not what was packed. It stays as it is: a backup may have it whole.
pub(crate) struct Damaged {
    /// The number of its first entry.
    pub(crate) first: i64,
    title: String,
}

const PACKED: &str = "SELECT agent_id, first_seq, last_seq, digest, piece FROM packed_conversations";
const DAMAGED: &str = words!(
    "A conversation without a name is damaged in the hub's database. Whoever runs the hub can put a backup in the place of the database."
);

/// As its row has it.
struct Packed {
    agent: AgentId,
    first: i64,
    last: i64,
    digest: String,
    piece: Vec<u8>,
}

impl Piece {
    /// `None`: the conversation has more than is packed, or nothing.
    pub(crate) async fn of(store: &Store, conversation: &ConversationId) -> Result<Option<Self>> {
        let mut rows = query(
            "SELECT seq, at, run_id, ordinal, kind, body FROM entries
             WHERE conversation_id = $1 ORDER BY seq LIMIT $2",
            (conversation, MOST_ENTRIES + 1),
        )
        .fetch::<PackedEntry>(store.read())?;
        let (mut lines, mut entries, mut bytes) = (Vec::new(), 0, 0);
        let (mut first, mut last, mut page_errors) = (None, 0, None);
        while let Some(entry) = rows.try_next().await? {
            entries += 1;
            bytes += entry.body.len();
            if entries > MOST_ENTRIES || bytes > MOST_BYTES {
                return Ok(None);
            }
            first = first.or(Some(entry.seq));
            last = entry.seq;
            if entry.kind == PAGE_ERRORS {
                page_errors = Some(entry.seq);
            }
            serde_json::to_writer(&mut lines, &entry)?;
            lines.push(b'\n');
        }
        drop(rows);
        let Some(first) = first else { return Ok(None) };
        let packed =
            tokio::task::spawn_blocking(move || compressed(&lines)).await.map_err(Error::internal)?;
        let packed = packed.map_err(Error::internal)?;
        let digest = digest(&packed);
        Ok(Some(Self { first, last, entries: entries as u64, bytes, page_errors, digest, packed }))
    }

    /// Puts it in place of the rows, for whoever has locked the agent. `false`: they are others by now, and nothing of
    /// this may be committed.
    pub(crate) async fn put(
        self,
        tx: &mut Transaction,
        agent: &AgentId,
        conversation: &ConversationId,
        marks: Marks,
        now: i64,
    ) -> Result<bool> {
        query(
            "UPDATE search_documents SET packed_in = $2
             WHERE agent_id = $1 AND seq IN (SELECT e.seq FROM entries e WHERE e.conversation_id = $2)",
            (agent, conversation),
        )
        .execute(&mut **tx)
        .await?;
        let gone = query("DELETE FROM entries WHERE conversation_id = $1", (conversation,))
            .execute(&mut **tx)
            .await?;
        if gone != self.entries {
            return Ok(false);
        }
        query(
            "INSERT INTO packed_conversations (conversation_id, agent_id, first_seq, last_seq, entries, bytes,
                 untrusted, said, private, packed_at, page_errors, digest, piece)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
            (
                conversation,
                agent,
                self.first,
                self.last,
                self.entries,
                self.bytes,
                marks.untrusted,
                marks.said,
                marks.private,
                now,
                self.page_errors,
                self.digest,
                self.packed,
            ),
        )
        .execute(&mut **tx)
        .await?;
        query("UPDATE conversations SET unpacked_at = NULL WHERE id = $1", (conversation,))
            .execute(&mut **tx)
            .await?;
        Ok(true)
    }
}

/// Has the rows in place of the piece again, for whoever has locked the agent; and those of all that the conversation
/// has a part of, so that what is read with one that has rows has rows as well. On the heap, like what follows: whoever
/// reads or appends is within many futures already, and seldom comes here.
pub(crate) fn unpack<'a>(
    tx: &'a mut Transaction,
    conversation: &'a ConversationId,
) -> BoxFuture<'a, Result<()>> {
    async move { whole(unpack_sound(tx, conversation).await?) }.boxed()
}

/// The same but for what is damaged, which stays packed and is given.
pub(crate) fn unpack_sound<'a>(
    tx: &'a mut Transaction,
    conversation: &'a ConversationId,
) -> BoxFuture<'a, Result<Vec<Damaged>>> {
    async move {
        let mut damaged = Vec::from_iter(unpack_one(tx, conversation).await?);
        let sources: Vec<ConversationId> = query(
            "SELECT DISTINCT p.conversation_id FROM conversation_segments g
             JOIN packed_conversations p ON p.conversation_id = g.source_id WHERE g.conversation_id = $1",
            (conversation,),
        )
        .fetch_all(&mut **tx)
        .await?;
        for source in &sources {
            damaged.extend(unpack_one(tx, source).await?);
        }
        Ok(damaged)
    }
    .boxed()
}

/// Gives the conversation if it is damaged.
async fn unpack_one(tx: &mut Transaction, conversation: &ConversationId) -> Result<Option<Damaged>> {
    let packed = query([PACKED, "WHERE conversation_id = $1"], (conversation,))
        .fetch_optional::<Packed>(&mut **tx)
        .await?;
    let Some(packed) = packed else { return Ok(None) };
    let (packed, entries) = packed.opened().await?;
    let Some(mut entries) = entries else {
        let title = query("SELECT title FROM conversations WHERE id = $1", (conversation,))
            .fetch_one(&mut **tx)
            .await?;
        return Ok(Some(Damaged { first: packed.first, title }));
    };
    query("DELETE FROM packed_conversations WHERE conversation_id = $1", (conversation,))
        .execute(&mut **tx)
        .await?;
    while !entries.is_empty() {
        let rest = entries.split_off(entries.len().min(ROWS));
        let text = format!(
            "INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, ordinal, kind, body) VALUES {}",
            numbered(entries.len())
        );
        let rows: Vec<_> = entries
            .into_iter()
            .map(|entry| {
                let PackedEntry { seq, at, run, ordinal, kind, body } = entry;
                (packed.agent.clone(), seq, at, conversation.clone(), run, ordinal, kind, body)
            })
            .collect();
        query(AssertSqlSafe(text), rows).execute(&mut **tx).await?;
        entries = rest;
    }
    query(
        "UPDATE search_documents SET packed_in = NULL
         WHERE agent_id = $1 AND seq >= $2 AND seq <= $3 AND packed_in = $4",
        (&packed.agent, packed.first, packed.last, conversation),
    )
    .execute(&mut **tx)
    .await?;
    query("UPDATE conversations SET unpacked_at = 0 WHERE id = $1", (conversation,))
        .execute(&mut **tx)
        .await?;
    Ok(None)
}

/// The same for all conversations of the agent, of which those that are damaged are given.
pub(crate) async fn unpack_all(tx: &mut Transaction, agent: &AgentId) -> Result<Vec<Damaged>> {
    let all: Vec<ConversationId> =
        query("SELECT conversation_id FROM packed_conversations WHERE agent_id = $1", (agent,))
            .fetch_all(&mut **tx)
            .await?;
    let mut damaged = Vec::new();
    for conversation in &all {
        damaged.extend(unpack_one(tx, conversation).await?);
    }
    Ok(damaged)
}

/// `Err`: one of these is damaged.
fn whole(mut damaged: Vec<Damaged>) -> Result<()> {
    damaged.pop().map_or(Ok(()), |damaged| Err(damaged.into()))
}

/// Unpacks the conversation. `false`: it never was packed, and what was not found is not there. Where somebody else has
/// unpacked it since whoever asks found nothing, there is something to be read again.
pub(crate) fn bring_back<'a>(
    store: &'a Store,
    conversation: &'a ConversationId,
) -> BoxFuture<'a, Result<bool>> {
    async move {
        let (came, damaged) = bring_back_sound(store, conversation).await?;
        whole(damaged).map(|()| came)
    }
    .boxed()
}

/// The same but for what is damaged, which is given.
pub(crate) fn bring_back_sound<'a>(
    store: &'a Store,
    conversation: &'a ConversationId,
) -> BoxFuture<'a, Result<(bool, Vec<Damaged>)>> {
    async move {
        let known: Option<(AgentId, i64)> = query(
            "SELECT c.agent_id, (SELECT COUNT(*) FROM packed_conversations p WHERE p.conversation_id = c.id)
             FROM conversations c WHERE c.id = $1 AND (c.unpacked_at IS NOT NULL
                 OR EXISTS (SELECT 1 FROM packed_conversations p WHERE p.conversation_id = c.id))",
            (conversation,),
        )
        .fetch_optional(store.read())
        .await?;
        let Some((agent, packed)) = known else { return Ok((false, Vec::new())) };
        if packed == 0 {
            return Ok((true, Vec::new()));
        }
        let mut tx = store.write_uncached().await?;
        // As everybody who writes what is the agent's, so that nobody waits for the other.
        query("UPDATE agents SET id = id WHERE id = $1", (&agent,)).execute(&mut *tx).await?;
        let damaged = unpack_sound(&mut tx, conversation).await?;
        tx.commit().await?;
        Ok((true, damaged))
    }
    .boxed()
}

/// The same for the conversation of this run.
pub(crate) async fn bring_back_run(store: &Store, run: &RunId) -> Result<bool> {
    let conversation = query("SELECT conversation_id FROM runs WHERE id = $1", (run,))
        .fetch_optional::<Option<ConversationId>>(store.read())
        .await?;
    match conversation.flatten() {
        Some(conversation) => bring_back(store, &conversation).await,
        None => Ok(false),
    }
}

/// The number of the first entry of all conversations that are packed and may have entries with `seq > after`.
pub(crate) async fn first_after(store: &Store, agent: &AgentId, after: i64) -> Result<Option<i64>> {
    query(
        "SELECT MIN(first_seq) FROM packed_conversations WHERE agent_id = $1 AND last_seq > $2",
        (agent, after),
    )
    .fetch_one(store.read())
    .await
}

/// What came of bringing back what is within some numbers.
pub(crate) struct BroughtBack {
    /// The rows have to be read again.
    pub(crate) came: bool,
    pub(crate) damaged: Vec<Damaged>,
    /// Entries of those whose rows cannot be written at the moment, in their order, each with the bytes of its body. Of
    /// many there are as many as are read at a time, and more.
    pub(crate) read: Vec<(usize, Entry)>,
}

/// Unpacks all conversations of the agent that may have entries with `seq > after` and up to `upto`. These have to be
/// read again also where somebody else unpacked them, the first of which was `first` before they were read.
pub(crate) async fn bring_back_between(
    store: &Store,
    agent: &AgentId,
    first: Option<i64>,
    after: i64,
    upto: i64,
) -> Result<BroughtBack> {
    let came = first.is_some_and(|first| first <= upto);
    let mut brought = BroughtBack { came, damaged: Vec::new(), read: Vec::new() };
    for (conversation, begins) in packed_between(store, agent, after, upto).await? {
        if brought.read.iter().filter(|(_, entry)| stored(entry.seq) < begins).count() >= PART {
            break;
        }
        match bring_back_sound(store, &conversation).await {
            Ok((came, damaged)) => {
                brought.came |= came;
                brought.damaged.extend(damaged);
            }
            Err(error) => {
                let piece = read_instead(store, &conversation, error).await?;
                for packed in piece.entries.iter().filter(|packed| packed.seq > after && packed.seq <= upto) {
                    brought.read.push((packed.body.len(), piece.entry(packed, &conversation)?));
                }
            }
        }
    }
    brought.read.sort_by_key(|(_, entry)| entry.seq);
    brought.damaged.sort_by_key(|damaged| damaged.first);
    brought.damaged.dedup_by_key(|damaged| damaged.first);
    Ok(brought)
}

/// Those conversations, and the numbers of their first entries, in the order of these.
pub(crate) async fn packed_between(
    store: &Store,
    agent: &AgentId,
    after: i64,
    upto: i64,
) -> Result<Vec<(ConversationId, i64)>> {
    query(
        "SELECT conversation_id, first_seq FROM packed_conversations
         WHERE agent_id = $1 AND last_seq > $2 AND first_seq <= $3 ORDER BY first_seq",
        (agent, after, upto),
    )
    .fetch_all(store.read())
    .await
}

/// What the agent had seen and been told when something of it was packed last.
pub(crate) async fn marks(connection: &mut Connection, agent: &AgentId) -> Result<Marks> {
    let (untrusted, said, private): (bool, bool, bool) = query(
        "SELECT COALESCE(MAX(untrusted), 0), COALESCE(MAX(said), 0), COALESCE(MAX(private), 0)
         FROM packed_conversations WHERE agent_id = $1",
        (agent,),
    )
    .fetch_one(connection)
    .await?;
    Ok(Marks { untrusted, said, private })
}

impl Packed {
    /// With its entries, unless it is damaged: it is megabytes, and whoever else waits for an answer does not wait for
    /// them.
    async fn opened(self) -> Result<(Self, Option<Vec<PackedEntry>>)> {
        let opening = move || {
            let entries = self.open();
            (self, entries)
        };
        tokio::task::spawn_blocking(opening).await.map_err(Error::internal)
    }

    fn open(&self) -> Option<Vec<PackedEntry>> {
        if digest(&self.piece) != self.digest {
            return None;
        }
        let mut lines = String::new();
        DeflateDecoder::new(self.piece.as_slice()).read_to_string(&mut lines).ok()?;
        lines.lines().map(|line| serde_json::from_str(line).ok()).collect()
    }
}

impl Damaged {
    pub(crate) fn in_words(&self) -> String {
        match self.title.as_str() {
            "" => DAMAGED.to_owned(),
            title => told!(
                "The conversation “{title}” is damaged in the hub's database. Whoever runs the hub can put a backup in the place of the database."
            ),
        }
    }
}

impl From<Damaged> for Error {
    fn from(damaged: Damaged) -> Self {
        Self::Conflict(damaged.in_words())
    }
}

impl FromRow for PackedEntry {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            at: row.get("at")?,
            run: row.get("run_id")?,
            ordinal: row.get("ordinal")?,
            kind: row.get("kind")?,
            body: row.get("body")?,
        })
    }
}

impl FromRow for Packed {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            agent: row.get("agent_id")?,
            first: row.get("first_seq")?,
            last: row.get("last_seq")?,
            digest: row.get("digest")?,
            piece: row.get("piece")?,
        })
    }
}

fn compressed(lines: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(lines)?;
    encoder.finish()
}

fn digest(piece: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(piece))
}

/// The numbers of eight values for each row.
fn numbered(rows: usize) -> String {
    let row = |row: usize| {
        let numbers: Vec<String> = (row * 8 + 1..=row * 8 + 8).map(|number| format!("${number}")).collect();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}
