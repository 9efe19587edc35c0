//! What marks a conversation, read off the log a page at a time and no further than it takes: of a long
//! log nothing is in memory at once but one page.

use crate::error::Result;
use crate::log::entry;
use agent::taint::{Marking, Marks, bare_address, writes_address};
use protocol::log::Entry;
use protocol::{AgentId, ConversationId};
use serde_json::Value;
use sqlx::{AnyConnection, Row as _};

/// Entries read at a time.
const PAGE: i64 = 100;

/// What the conversation holds, with what happened to its agent outside of any, as its page writing state.
pub(crate) async fn of(
    connection: &mut AnyConnection,
    agent: &AgentId,
    conversation: &ConversationId,
) -> Result<Marks> {
    let mut marking = Marking::default();
    let mut after = 0;
    loop {
        let rows = sqlx::query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE agent_id = $1 AND seq > $3
               AND (conversation_id = $2
                    AND kind IN ('message', 'imported', 'tool_started', 'tool_finished', 'state')
                    OR conversation_id IS NULL AND kind = 'state')
             ORDER BY seq LIMIT $4",
        )
        .bind(&agent.0)
        .bind(&conversation.0)
        .bind(after)
        .bind(PAGE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { return Ok(marking.marks()) };
        after = last.try_get("seq")?;
        for row in &rows {
            marking.take(&entry(row)?);
        }
        if marking.marks().both() {
            return Ok(marking.marks());
        }
    }
}

/// Whether nothing leaves with this request but an address that the person wrote in the conversation.
pub(crate) async fn was_written_by_the_person(
    connection: &mut AnyConnection,
    conversation: &ConversationId,
    input: &Value,
) -> Result<bool> {
    let Some(url) = bare_address(input) else { return Ok(false) };
    let mut before = i64::MAX;
    loop {
        let rows = sqlx::query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE conversation_id = $1 AND seq < $2 AND kind = 'message' ORDER BY seq DESC LIMIT $3",
        )
        .bind(&conversation.0)
        .bind(before)
        .bind(PAGE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { return Ok(false) };
        before = last.try_get("seq")?;
        let entries = rows.iter().map(entry).collect::<Result<Vec<Entry>>>()?;
        if entries.iter().any(|entry| writes_address(entry, url)) {
            return Ok(true);
        }
    }
}
