//! What marks an agent, read off its log a page at a time and no further than it takes: of a long log nothing
//! is in memory at once but one page.

mod named;

use crate::error::Result;
use crate::log::{Kinds, Lineage, packed};
use crate::outbound::Target;
use crate::skills;
use crate::store::{Connection, FromRow, Row, query};
use agent::taint::{Exposure, Marking, Marks, bare_address, only_looks, said_to_the_agent, writes_address};
use protocol::log::Entry;
use protocol::{AgentId, ConversationId};
use serde_json::Value;

/// Entries read at a time.
const PAGE: usize = 100;

/// What the agent has seen and been told, in whichever conversation: its page, its state, its files and the
/// tools that it made carry from one into the other, and its files into those of its sub-agents.
pub(crate) async fn of(connection: &mut Connection, agent: &AgentId) -> Result<Marks> {
    let mut all = of_alone(&mut *connection, agent).await?;
    let others: Vec<AgentId> = query(
        "SELECT o.id FROM agents a JOIN agents o ON o.id = a.root_id OR o.root_id = COALESCE(a.root_id, a.id)
         WHERE a.id = $1 AND o.id <> $1",
        (agent,),
    )
    .fetch_all(&mut *connection)
    .await?;
    for other in others {
        if all.at_stake() == Exposure::Private {
            break;
        }
        all = all.and(of_alone(&mut *connection, &other).await?);
    }
    Ok(all)
}

/// The same of this agent, and none that has files with it. What of its log is packed has left its marks beside.
pub(crate) async fn of_alone(connection: &mut Connection, agent: &AgentId) -> Result<Marks> {
    let packed = packed::marks(&mut *connection, agent).await?;
    if packed.at_stake() == Exposure::Private {
        return Ok(packed);
    }
    Ok(packed.and(of_log(connection, agent).await?))
}

async fn of_log(connection: &mut Connection, agent: &AgentId) -> Result<Marks> {
    let mut marking = match remembers(&mut *connection, agent).await? {
        true => Marking::beginning_with_memories(),
        false => Marking::default(),
    };
    // What stood in its prompt is in no entry.
    if skills::has_read_foreign(&mut *connection, agent).await? {
        marking.mark_untrusted();
    }
    let mut after = 0_i64;
    loop {
        let rows = query(
            "SELECT agent_id, seq, at, conversation_id, run_id, body FROM entries
             WHERE agent_id = $1 AND seq > $2
               AND kind IN ('message', 'imported', 'tool_started', 'tool_finished', 'state')
             ORDER BY seq LIMIT $3",
            (agent, after, PAGE),
        )
        .fetch_all::<Row>(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { return Ok(marking.marks()) };
        after = last.get("seq")?;
        for row in &rows {
            marking.take(&Entry::from_row(row)?);
        }
        if marking.marks().at_stake() == Exposure::Private {
            return Ok(marking.marks());
        }
    }
}

/// Whether memories stood in the prompt of a run of the agent's.
async fn remembers(connection: &mut Connection, agent: &AgentId) -> Result<bool> {
    query("SELECT 1 FROM conversations WHERE agent_id = $1 AND memories_at IS NOT NULL LIMIT 1", (agent,))
        .exists(connection)
        .await
}

/// Whether nothing leaves with this request but an address that the person wrote in the conversation.
pub(crate) async fn was_written_by_the_person(
    connection: &mut Connection,
    conversation: &ConversationId,
    input: &Value,
) -> Result<bool> {
    let Some(url) = bare_address(input) else { return Ok(false) };
    any_message(connection, conversation, |entry| writes_address(entry, url)).await
}

/// Whether the request only looks at a server that the person named in the conversation.
pub(crate) async fn was_named_by_the_person(
    connection: &mut Connection,
    conversation: &ConversationId,
    input: &Value,
    target: &Target,
) -> Result<bool> {
    if !only_looks(input) {
        return Ok(false);
    }
    let names = |entry: &Entry| said_to_the_agent(entry).is_some_and(|text| named::names(&text, target));
    any_message(connection, conversation, names).await
}

/// Whether this is so of a message, the newest first.
async fn any_message(
    connection: &mut Connection,
    conversation: &ConversationId,
    is_so: impl Fn(&Entry) -> bool,
) -> Result<bool> {
    let lineage = Lineage::of(&mut *connection, conversation).await?;
    for range in lineage.ranges().iter().rev() {
        // What came in a file, nobody was seen to write.
        let came: Option<u64> =
            query("SELECT last_seq FROM imported_conversations WHERE conversation_id = $1", (range.source,))
                .fetch_optional(&mut *connection)
                .await?;
        let mut before = i64::MAX;
        loop {
            let rows = range.last(&mut *connection, before, Kinds::Messages, PAGE).await?;
            let Some(last) = rows.last() else { break };
            before = last.get("seq")?;
            let mut entries = rows.iter().map(Entry::from_row).collect::<Result<Vec<Entry>>>()?;
            entries.retain(|entry| came.is_none_or(|came| entry.seq > came));
            if entries.iter().any(&is_so) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
