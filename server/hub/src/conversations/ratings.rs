//! What a person thinks of answers: up or down, and a note. It stands beside the log, with the entry that the answer
//! is: every branch that has the answer has it too. A note is given to a run once, when one begins in a conversation
//! that has the answer; up and down alone are nobody's but the person's.

use super::title::{of_message, on_one_line};
use crate::agents;
use crate::conversations::OwnConversations;
use crate::error::{Error, Result};
use crate::log::{Appending, EntryScope, Lineage, packed};
use crate::store::{FromRow, Json, Row, Transaction, query};
use protocol::log::{EntryBody, Sender};
use protocol::model::Block;
use protocol::view::{Rating, Thumb};
use protocol::{AgentId, ConversationId};

/// Characters of a note.
const LONGEST: usize = 1_000;
/// Most notes on the answers of an agent.
const MAX_NOTES: i64 = 1_000;
/// Notes that one run is given. The next one is given more.
const AT_ONCE: usize = 10;

/// An answer, where it was given.
struct Answer {
    agent: AgentId,
    conversation: ConversationId,
    seq: u64,
}

/// A note that no run was given.
struct Untold {
    conversation: ConversationId,
    seq: u64,
    thumb: Option<Thumb>,
    note: String,
}

impl OwnConversations<'_> {
    /// In the order of the entries that they are about.
    pub async fn ratings(self, id: &ConversationId) -> Result<Vec<Rating>> {
        self.get(id).await?;
        let lineage = Lineage::of(self.scoped.hub.store().read(), id).await?;
        self.ratings_in(&lineage).await
    }

    pub(crate) async fn ratings_in(self, lineage: &Lineage) -> Result<Vec<Rating>> {
        let mut ratings = Vec::new();
        for range in lineage.ranges() {
            let part: Vec<Rating> = query(
                "SELECT seq, thumb, note, told_at FROM ratings
                 WHERE conversation_id = $1 AND seq >= $2 AND seq < $3 ORDER BY seq",
                (range.source, range.start, range.end),
            )
            .fetch_all(self.scoped.hub.store().read())
            .await?;
            ratings.extend(part);
        }
        Ok(ratings)
    }

    /// Rates the answer that is the entry `seq`, or takes that back. Gives all ratings of the conversation.
    pub async fn rate(self, id: &ConversationId, seq: u64, thumb: Option<Thumb>) -> Result<Vec<Rating>> {
        let answer = self.answer(id, seq).await?;
        let mut tx = self.begin(&answer).await?;
        query(
            "INSERT INTO ratings (conversation_id, seq, agent_id, thumb, note) VALUES ($1, $2, $3, $4, '')
             ON CONFLICT (conversation_id, seq) DO UPDATE SET thumb = excluded.thumb",
            (&answer.conversation, seq, &answer.agent, thumb),
        )
        .execute(&mut *tx)
        .await?;
        self.changed(tx, id, &answer).await
    }

    /// Leaves a note on the answer that is the entry `seq`; an empty one takes it back. Gives all ratings of the
    /// conversation.
    pub async fn leave_note(self, id: &ConversationId, seq: u64, note: &str) -> Result<Vec<Rating>> {
        let note = checked(note)?;
        let answer = self.answer(id, seq).await?;
        if !note.is_empty() {
            self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        }
        let mut tx = self.begin(&answer).await?;
        query(
            "INSERT INTO ratings (conversation_id, seq, agent_id, note) VALUES ($1, $2, $3, $4)
             ON CONFLICT (conversation_id, seq) DO UPDATE SET note = excluded.note,
                 told_at = CASE WHEN ratings.note = excluded.note THEN ratings.told_at END",
            (&answer.conversation, seq, &answer.agent, note),
        )
        .execute(&mut *tx)
        .await?;
        let notes: i64 =
            query("SELECT COUNT(*) FROM ratings WHERE agent_id = $1 AND note <> ''", (&answer.agent,))
                .fetch_one(&mut *tx)
                .await?;
        if notes > MAX_NOTES {
            tx.rollback().await?;
            return Err(Error::Limit(format!(
                "There are {MAX_NOTES} notes on the answers of this agent. Empty some that it was given long ago."
            )));
        }
        self.changed(tx, id, &answer).await
    }

    /// A rating stands with the row of its answer, which nobody packs until the commit.
    async fn begin(self, answer: &Answer) -> Result<Transaction> {
        let mut tx = self.scoped.hub.store().write().await?;
        agents::lock(&mut tx, &answer.agent).await?;
        packed::unpack(&mut tx, &answer.conversation).await?;
        Ok(tx)
    }

    async fn changed(self, mut tx: Transaction, id: &ConversationId, answer: &Answer) -> Result<Vec<Rating>> {
        query(
            "DELETE FROM ratings WHERE conversation_id = $1 AND seq = $2 AND thumb IS NULL AND note = ''",
            (&answer.conversation, answer.seq),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        self.scoped.hub.live().changed_beside_the_log(&answer.agent);
        self.ratings(id).await
    }

    async fn answer(self, id: &ConversationId, seq: u64) -> Result<Answer> {
        let (_, lineage) = self.lineage(id).await?;
        let entry = self.entry(&lineage, seq).await?;
        match (&entry.body, entry.conversation) {
            (EntryBody::Block { block: Block::Text { .. }, .. }, Some(conversation)) => {
                Ok(Answer { agent: entry.agent, conversation, seq })
            }
            _ => Err(Error::NotFound("answer")),
        }
    }
}

impl Appending {
    /// Gives the run that begins now what its person noted on answers that it has before it, and that no run was given.
    pub(crate) async fn append_notes(
        &mut self,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<()> {
        let untold: Vec<Untold> = query(
            "SELECT conversation_id, seq, thumb, note FROM ratings
             WHERE agent_id = $1 AND note <> '' AND told_at IS NULL ORDER BY seq",
            (agent,),
        )
        .fetch_all(&mut *self.tx)
        .await?;
        if untold.is_empty() {
            return Ok(());
        }
        let lineage = Lineage::of(&mut *self.tx, conversation).await?;
        let ranges = lineage.ranges();
        let is_before_it = |note: &&Untold| {
            ranges.iter().any(|range| *range.source == note.conversation && range.has(note.seq))
        };
        let given: Vec<&Untold> = untold.iter().filter(is_before_it).take(AT_ONCE).collect();
        let mut lines = Vec::new();
        for note in given {
            let answer: Option<Json<EntryBody>> =
                query("SELECT body FROM entries WHERE agent_id = $1 AND seq = $2", (agent, note.seq))
                    .fetch_optional(&mut *self.tx)
                    .await?;
            let Some(Json(EntryBody::Block { block: Block::Text { text }, .. })) = answer else { continue };
            lines.push(note.in_words(&text));
            // One that was written again meanwhile is given to the next run.
            query(
                "UPDATE ratings SET told_at = $3 WHERE agent_id = $1 AND seq = $2 AND note = $4",
                (agent, note.seq, self.now(), &note.note),
            )
            .execute(&mut *self.tx)
            .await?;
        }
        if lines.is_empty() {
            return Ok(());
        }
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        self.append(&place, EntryBody::said(Sender::Rating, lines.join("\n"))).await?;
        Ok(())
    }
}

impl Untold {
    fn in_words(&self, answer: &str) -> String {
        let thumb = match self.thumb {
            Some(Thumb::Up) => "rated it good and ",
            Some(Thumb::Down) => "rated it bad and ",
            None => "",
        };
        let (answer, note) = (of_message(answer), on_one_line(&self.note));
        format!("Of your answer \u{201c}{answer}\u{201d} your person {thumb}noted: {note}")
    }
}

fn checked(note: &str) -> Result<String> {
    let note = note.replace("\r\n", "\n");
    let note: String = note.trim().chars().filter(|char| *char == '\n' || !char.is_control()).collect();
    if note.chars().count() > LONGEST {
        return Err(Error::Limit(format!("A note has at most {LONGEST} characters.")));
    }
    Ok(note)
}

impl FromRow for Rating {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            thumb: row.get("thumb")?,
            note: row.get("note")?,
            told_at: row.get("told_at")?,
        })
    }
}

impl FromRow for Untold {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            conversation: row.get("conversation_id")?,
            seq: row.get("seq")?,
            thumb: row.get("thumb")?,
            note: row.get("note")?,
        })
    }
}
