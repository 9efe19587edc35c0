//! What a person's agents said lately, for those that hear the others.

use super::{Contexts, OwnContext};
use crate::clock::new_id;
use crate::error::{Error, Result};
use crate::log::Appending;
use crate::marks;
use crate::skills;
use crate::store::{FromRow, Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::Saying;
use protocol::{AgentId, ConversationId, SayingId, UserId};

/// Characters of an answer that are told.
const LONGEST: usize = 200;
/// Answers that are kept of an agent, and of all of a person's.
const OF_AGENT: i64 = 10;
const OF_PERSON: i64 = 100;
/// Answers that an agent is told of.
const TOLD: i64 = 10;

/// An answer that is to be kept.
pub(crate) struct FinalWords {
    text: String,
    untrusted: bool,
}

impl FromRow for Saying {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            agent: row.get("agent_id")?,
            agent_name: row.get("name")?,
            text: row.get("text")?,
            untrusted: row.get::<i64>("untrusted")? != 0,
            at: row.get("said_at")?,
        })
    }
}

const SAYINGS: &str = "SELECT s.id, s.agent_id, a.name, s.text, s.untrusted, s.said_at
    FROM context_sayings s JOIN agents a ON a.id = s.agent_id JOIN conversations c ON c.id = s.conversation_id
    WHERE s.user_id = $1 AND s.agent_id <> $2 AND c.deleted_at IS NULL ORDER BY s.id DESC LIMIT $3";

impl Contexts<'_> {
    /// Whether what this agent says in this conversation is told to others.
    pub(crate) async fn is_heard(
        self,
        owner: &UserId,
        agent: &AgentId,
        conversation: &ConversationId,
    ) -> Result<bool> {
        query(
            "SELECT 1 FROM conversations c WHERE c.id = $3 AND c.temporary = 0 AND EXISTS (
                 SELECT 1 FROM agents o WHERE o.user_id = $1 AND o.id <> $2
                   AND (SELECT x.hears FROM context_agents x WHERE x.agent_id = o.id) = 1)",
            (owner, agent, conversation),
        )
        .exists(self.hub.store().read())
        .await
    }

    /// What is to be kept of an answer, without letters that nobody sees.
    pub(crate) async fn final_words(self, agent: &AgentId, answer: &str) -> Result<Option<FinalWords>> {
        let text = skills::visible(answer).split_whitespace().collect::<Vec<_>>().join(" ");
        let text: String = text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
        if text.is_empty() {
            return Ok(None);
        }
        let mut connection = self.hub.store().reader().await?;
        let untrusted = marks::of(&mut connection, agent).await?.untrusted;
        Ok(Some(FinalWords { text, untrusted }))
    }

    /// What this agent hears, the newest first.
    pub(super) async fn heard_by(self, owner: &UserId, agent: &AgentId) -> Result<Vec<Saying>> {
        query(SAYINGS, (owner, agent, TOLD)).fetch_all(self.hub.store().read()).await
    }
}

/// Forgets what this person's agents said if none of them hears the others.
pub(crate) async fn forget_unheard(tx: &mut Transaction, owner: &UserId) -> Result<()> {
    query(
        "DELETE FROM context_sayings WHERE user_id = $1 AND NOT EXISTS (
             SELECT 1 FROM agents o WHERE o.user_id = $1
               AND (SELECT x.hears FROM context_agents x WHERE x.agent_id = o.id) = 1)",
        (owner,),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

impl Appending {
    /// Keeps what the agent answered, in place of what is too old by now.
    pub(crate) async fn keep_final_words(
        &mut self,
        owner: &UserId,
        (agent, conversation): (&AgentId, &ConversationId),
        words: &FinalWords,
    ) -> Result<()> {
        let now = self.now();
        query(
            "INSERT INTO context_sayings (id, user_id, agent_id, conversation_id, text, untrusted, said_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            (new_id(), owner, agent, conversation, &words.text, i64::from(words.untrusted), now),
        )
        .execute(&mut *self.tx)
        .await?;
        query(
            "DELETE FROM context_sayings WHERE agent_id = $1 AND id NOT IN (
                 SELECT s.id FROM context_sayings s WHERE s.agent_id = $1 ORDER BY s.id DESC LIMIT $2)",
            (agent, OF_AGENT),
        )
        .execute(&mut *self.tx)
        .await?;
        query(
            "DELETE FROM context_sayings WHERE user_id = $1 AND id NOT IN (
                 SELECT s.id FROM context_sayings s WHERE s.user_id = $1 ORDER BY s.id DESC LIMIT $2)",
            (owner, OF_PERSON),
        )
        .execute(&mut *self.tx)
        .await?;
        self.tx.changes(owner, Noun::PersonContext);
        Ok(())
    }
}

impl OwnContext<'_> {
    /// The newest first.
    pub(super) async fn sayings(self) -> Result<Vec<Saying>> {
        query(SAYINGS, (self.scoped.owner(), "", OF_PERSON)).fetch_all(self.scoped.hub.store().read()).await
    }

    /// No agent is told of it any more.
    pub async fn delete_saying(self, id: &SayingId) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        let gone =
            query("DELETE FROM context_sayings WHERE user_id = $1 AND id = $2", (self.scoped.owner(), id))
                .execute(&mut *tx)
                .await?;
        if gone == 0 {
            return Err(Error::NotFound("answer"));
        }
        tx.changes(&self.scoped.viewer.me.id, Noun::PersonContext);
        tx.commit().await
    }

    /// The same for all of them.
    pub async fn clear_sayings(self) -> Result<()> {
        let mut tx = self.scoped.hub.store().write().await?;
        query("DELETE FROM context_sayings WHERE user_id = $1", (self.scoped.owner(),))
            .execute(&mut *tx)
            .await?;
        tx.changes(&self.scoped.viewer.me.id, Noun::PersonContext);
        tx.commit().await
    }
}
