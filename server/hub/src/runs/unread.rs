//! What was said and no run has read, as the store has it: noted in the commit that says it, forgotten in the
//! one in which a run reads it. Whoever dies in between, or has no store for a while, leaves it to the next.

use crate::error::{Error, Result};
use crate::live::TabKey;
use crate::log::{Appending, EntryScope, Projection};
use crate::runs::Runs;
use crate::store::query;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use protocol::agent::Home;
use protocol::log::{Class, EntryBody, LoopEvent, RunEvent, Sender};
use protocol::{AgentId, ConversationId};
use sqlx::{Any, Executor};

/// The table of what was said and no run has read.
pub(crate) struct UnreadMessages;

impl Projection for UnreadMessages {
    fn project<'a>(
        &'a self,
        appending: &'a mut Appending,
        place: &'a EntryScope,
        seq: i64,
        body: &'a EntryBody,
    ) -> BoxFuture<'a, Result<()>> {
        note_reading(appending, place, seq, body).boxed()
    }
}

/// Takes in what this entry says about who was read.
async fn note_reading(
    appending: &mut Appending,
    place: &EntryScope,
    seq: i64,
    body: &EntryBody,
) -> Result<()> {
    let (agent, conversation) = (&place.agent, &place.conversation);
    let statement = match body.class() {
        Class::Said { from, .. } if wakes(from) => query(
            "INSERT INTO unread_messages (agent_id, seq, conversation_id) VALUES ($1, $2, $3)",
            (agent, seq, conversation),
        ),
        // What stands before it is in the transcript of its run.
        Class::Run(RunEvent::Started { .. }) => query(
            "DELETE FROM unread_messages WHERE agent_id = $1 AND seq < $2 AND conversation_id = $3",
            (agent, seq, conversation),
        ),
        Class::Loop(LoopEvent::Steered { seq: read, .. }) => {
            query("DELETE FROM unread_messages WHERE agent_id = $1 AND seq = $2", (agent, read))
        }
        Class::Said { .. }
        | Class::Run(_)
        | Class::Loop(_)
        | Class::Reply(_)
        | Class::Call(_)
        | Class::Compaction(_)
        | Class::HubNotice { .. }
        | Class::Used { .. }
        | Class::Agent(_) => return Ok(()),
    };
    statement.execute(&mut *appending.tx).await?;
    Ok(())
}

impl Appending {
    /// Has this message, which was just said, answered by a run with this model.
    pub(super) async fn ask_model(&mut self, agent: &AgentId, seq: u64, model: &str) -> Result<()> {
        query("UPDATE unread_messages SET model = $3 WHERE agent_id = $1 AND seq = $2", (agent, seq, model))
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }
}

impl Runs<'_> {
    /// The messages that a run with a model of their own is to read, and no other.
    pub(super) async fn kept_for_their_model(self, conversation: &ConversationId) -> Result<Vec<u64>> {
        query(
            "SELECT seq FROM unread_messages WHERE conversation_id = $1 AND model IS NOT NULL",
            (conversation,),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// The conversation in which something was said first that no run has read.
    pub(super) async fn unread_conversation(self, agent: &AgentId) -> Result<Option<ConversationId>> {
        query(
            "SELECT conversation_id FROM unread_messages WHERE agent_id = $1 ORDER BY seq LIMIT 1",
            (agent,),
        )
        .fetch_optional(self.hub.store().read())
        .await
    }

    /// What was said and no run has read, by the numbers of the entries.
    pub(super) async fn unread_messages(self, agent: &AgentId) -> Result<Vec<(u64, ConversationId)>> {
        let rows: Vec<(i64, ConversationId)> = query(
            "SELECT seq, conversation_id FROM unread_messages WHERE agent_id = $1 ORDER BY seq",
            (agent,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        rows.into_iter().map(|(seq, of)| Ok((u64::try_from(seq).map_err(Error::internal)?, of))).collect()
    }

    /// Starts a run that reads what no run has read, if there is any.
    pub(crate) async fn answer_unread_of(self, agent: &AgentId, tab: Option<TabKey>) -> Result<()> {
        self.begin_for(agent, tab).await.map(|_| ())
    }

    /// The same for all agents of this node's people that are at rest, in a browser once a page of theirs is open.
    pub(super) async fn answer_unread(self) -> Result<()> {
        let waiting: Vec<(AgentId, Home)> = query(
            "SELECT DISTINCT m.agent_id, a.home FROM unread_messages m JOIN agents a ON a.id = m.agent_id
             JOIN users u ON u.id = a.user_id
             JOIN agents t ON t.id = COALESCE(a.root_id, a.id)
             WHERE u.disabled = 0 AND t.paused_at IS NULL
               AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.agent_id = m.agent_id AND r.running = 1)
               AND (CAST($1 AS TEXT) IS NULL OR u.id IN (SELECT user_id FROM placements WHERE node_id = $1 AND taken_on = 1))",
            (self.hub.cluster().own_id(),),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let mut outcome = Ok(());
        for (agent, home) in waiting {
            if home == Home::Browser && self.hub.live().stage(&agent).is_none() {
                continue;
            }
            if let Err(error) = self.begin_for(&agent, None).await {
                tracing::warn!(agent.id = %agent, error = ?error, "agent {agent} could not be told what was said");
                outcome = Err(error);
            }
        }
        outcome
    }
}

pub(super) async fn has_unread<'e>(
    executor: impl Executor<'e, Database = Any>,
    conversation: &ConversationId,
) -> Result<bool> {
    query("SELECT 1 FROM unread_messages WHERE conversation_id = $1 LIMIT 1", (conversation,))
        .exists(executor)
        .await
}

/// The model that was chosen for what no run has read; the last word counts.
pub(super) async fn unread_model<'e>(
    executor: impl Executor<'e, Database = Any>,
    conversation: &ConversationId,
) -> Result<Option<String>> {
    query(
        "SELECT model FROM unread_messages WHERE conversation_id = $1 AND model IS NOT NULL
         ORDER BY seq DESC LIMIT 1",
        (conversation,),
    )
    .fetch_optional(executor)
    .await
}

/// Whether somebody waits for a run because of these words. What a schedule says begins its run in the same
/// commit, and the rest waits for the next one.
fn wakes(from: &Sender) -> bool {
    match from {
        Sender::Person
        | Sender::Program { .. }
        | Sender::Agent { .. }
        | Sender::PageNotify { .. }
        | Sender::PageAsk
        | Sender::PageErrors
        | Sender::Rule { .. }
        | Sender::Job { .. } => true,
        Sender::PageEmit { .. }
        | Sender::Devices
        | Sender::Todo
        | Sender::Rating
        | Sender::Context { .. }
        | Sender::Schedule { .. }
        | Sender::Trigger { .. } => false,
    }
}
