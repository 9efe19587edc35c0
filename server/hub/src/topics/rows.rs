//! The statements of topics.

use super::{RING, RINGS};
use crate::clock::new_id;
use crate::error::Result;
use crate::store::{Row, Transaction, query};
use protocol::hub::Noun;
use protocol::view::{TopicMessage, TopicSubscriber};
use protocol::{AgentId, UserId};
use sqlx::{Any, Executor};

/// With the topic of each, by name.
pub(super) async fn subscribers(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
) -> Result<Vec<(String, TopicSubscriber)>> {
    let rows: Vec<Row> = query(
        "SELECT s.topic, s.agent_id, a.name, s.condition FROM topic_subscriptions s JOIN agents a ON a.id = s.agent_id
         WHERE s.user_id = $1 ORDER BY s.topic, a.name, a.id",
        (owner,),
    )
    .fetch_all(db)
    .await?;
    let read = |row: &Row| {
        let (agent, name, condition) = (row.get("agent_id")?, row.get("name")?, row.get("condition")?);
        Ok((row.get("topic")?, TopicSubscriber { agent, name, condition }))
    };
    rows.iter().map(read).collect()
}

/// With the topic of each, the newest first.
pub(super) async fn messages(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
) -> Result<Vec<(String, TopicMessage)>> {
    let rows: Vec<Row> = query(
        "SELECT topic, agent_id, name, text, untrusted, heard, at FROM topic_messages
         WHERE user_id = $1 ORDER BY at DESC, id DESC LIMIT $2",
        (owner, RINGS),
    )
    .fetch_all(db)
    .await?;
    rows.iter().map(|row| Ok((row.get("topic")?, message(row)?))).collect()
}

pub(super) async fn last(
    db: impl Executor<'_, Database = Any>,
    owner: &UserId,
    topic: &str,
) -> Result<Option<TopicMessage>> {
    let row: Option<Row> = query(
        "SELECT topic, agent_id, name, text, untrusted, heard, at FROM topic_messages
         WHERE user_id = $1 AND topic = $2 ORDER BY at DESC, id DESC LIMIT 1",
        (owner, topic),
    )
    .fetch_optional(db)
    .await?;
    row.as_ref().map(message).transpose()
}

/// Of those besides this agent's to this topic: all, and those to the topic.
pub(super) async fn counts_beside(
    tx: &mut Transaction,
    owner: &UserId,
    topic: &str,
    agent: &AgentId,
) -> Result<(i64, i64)> {
    let all = query(
        "SELECT COUNT(*) FROM topic_subscriptions WHERE user_id = $1 AND NOT (topic = $2 AND agent_id = $3)",
        (owner, topic, agent),
    )
    .fetch_one(&mut **tx)
    .await?;
    let of_topic = query(
        "SELECT COUNT(*) FROM topic_subscriptions WHERE user_id = $1 AND topic = $2 AND agent_id <> $3",
        (owner, topic, agent),
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((all, of_topic))
}

pub(super) async fn subscribe(
    tx: &mut Transaction,
    owner: &UserId,
    topic: &str,
    agent: &AgentId,
    condition: Option<&str>,
    now: i64,
) -> Result<()> {
    query(
        "INSERT INTO topic_subscriptions (user_id, topic, agent_id, condition, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, topic, agent_id) DO UPDATE SET condition = excluded.condition",
        (owner, topic, agent, condition, now),
    )
    .execute(&mut **tx)
    .await?;
    tx.changes(owner, Noun::Topics);
    Ok(())
}

pub(super) async fn unsubscribe(
    tx: &mut Transaction,
    owner: &UserId,
    topic: &str,
    agent: &AgentId,
) -> Result<bool> {
    let gone = query(
        "DELETE FROM topic_subscriptions WHERE user_id = $1 AND topic = $2 AND agent_id = $3",
        (owner, topic, agent),
    )
    .execute(&mut **tx)
    .await?;
    if gone > 0 {
        tx.changes(owner, Noun::Topics);
    }
    Ok(gone > 0)
}

/// Keeps it among what was said lately, where the oldest makes room. `from`: the agent, and the name.
pub(super) async fn keep(
    tx: &mut Transaction,
    owner: &UserId,
    topic: &str,
    from: (Option<&AgentId>, &str),
    text: &str,
    (untrusted, heard): (bool, usize),
    now: i64,
) -> Result<()> {
    let agent = from.0.map_or("", |agent| agent.0.as_str());
    query(
        "INSERT INTO topic_messages (id, user_id, topic, agent_id, name, text, untrusted, heard, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        (new_id(), owner, topic, agent, from.1, text, untrusted, heard, now),
    )
    .execute(&mut **tx)
    .await?;
    tx.changes(owner, Noun::Topics);
    query(
        "DELETE FROM topic_messages WHERE user_id = $1 AND topic = $2 AND id NOT IN
         (SELECT id FROM topic_messages WHERE user_id = $1 AND topic = $2 ORDER BY at DESC, id DESC LIMIT $3)",
        (owner, topic, RING),
    )
    .execute(&mut **tx)
    .await?;
    query(
        "DELETE FROM topic_messages WHERE user_id = $1 AND id NOT IN
         (SELECT id FROM topic_messages WHERE user_id = $1 ORDER BY at DESC, id DESC LIMIT $2)",
        (owner, RINGS),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn message(row: &Row) -> Result<TopicMessage> {
    let agent: AgentId = row.get("agent_id")?;
    Ok(TopicMessage {
        agent: Some(agent).filter(|agent| !agent.0.is_empty()),
        name: row.get("name")?,
        text: row.get("text")?,
        untrusted: row.get("untrusted")?,
        heard: row.get("heard")?,
        at: row.get("at")?,
    })
}
