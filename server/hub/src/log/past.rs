//! Entries about what happened elsewhere before it came here.

use super::{Appending, EntryScope, OnAgent};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::RunId;
use protocol::log::{Entry, EntryBody};
use sqlx::AssertSqlSafe;

/// Rows that are written with one statement.
const ROWS: usize = 50;

/// An entry with a time of its own.
#[derive(Clone, Debug)]
pub(crate) struct PastEntry {
    /// Unix milliseconds.
    pub(crate) at: i64,
    pub(crate) run: Option<RunId>,
    pub(crate) body: EntryBody,
}

impl Appending {
    /// Appends all of them. They wake nobody, and the agent's state and last line stay what they are. Gives the
    /// number of the last one.
    pub(crate) async fn append_past(&mut self, place: &EntryScope, past: Vec<PastEntry>) -> Result<i64> {
        let mut texts = Vec::with_capacity(past.len());
        let (mut bytes, mut messages) = (0, 0);
        for entry in &past {
            let text = serde_json::to_string(&entry.body)?;
            bytes += text.len();
            messages += OnAgent::of(&entry.body).messages;
            texts.push(text);
        }
        let last: i64 = query(
            "UPDATE agents SET last_seq = last_seq + $2, updated_at = $3,
                 message_count = message_count + $4, log_bytes = log_bytes + $5
             WHERE id = $1 RETURNING last_seq",
            (&place.agent, past.len(), self.now, messages, bytes),
        )
        .fetch_optional(&mut *self.tx)
        .await?
        .ok_or(Error::NotFound("agent"))?;
        let first = last - i64::try_from(past.len()).map_err(Error::internal)? + 1;
        let mut rows = Vec::with_capacity(past.len());
        for ((seq, entry), text) in (first..).zip(past).zip(texts) {
            rows.push((
                place.agent.clone(),
                seq,
                entry.at,
                place.conversation.clone(),
                entry.run.clone(),
                entry.body.kind(),
                text,
            ));
            self.entries.push(Entry {
                agent: place.agent.clone(),
                seq: u64::try_from(seq).map_err(Error::internal)?,
                at: entry.at,
                conversation: place.conversation.clone(),
                run: entry.run,
                body: entry.body,
            });
        }
        while !rows.is_empty() {
            let rest = rows.split_off(rows.len().min(ROWS));
            let text = format!(
                "INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, kind, body) VALUES {}",
                numbered(rows.len())
            );
            query(AssertSqlSafe(text), rows).execute(&mut *self.tx).await?;
            rows = rest;
        }
        Ok(last)
    }
}

/// The numbers of seven values for each row.
fn numbered(rows: usize) -> String {
    let row = |row: usize| {
        let numbers: Vec<String> = (row * 7 + 1..=row * 7 + 7).map(|number| format!("${number}")).collect();
        format!("({})", numbers.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}
