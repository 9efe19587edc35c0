//! What was said in a run and before it, as much of it as a call in the background reads.

use super::{AnsweredRun, SideCalls};
use crate::error::Result;
use crate::log::{Kinds, Lineage, run_texts};
use crate::store::query;
use agent::context::fenced;
use protocol::log::{EntryBody, Sender};
use protocol::model::Block;

/// Messages that are looked at, and bytes that are read of one and of the answer.
const LOOK_BACK: usize = 20;
const MESSAGE: usize = 3_000;
const ANSWER: usize = 2_000;

/// Words of an exchange.
#[derive(Default)]
pub(super) struct Exchange {
    /// What was said to the agent, oldest first.
    pub(super) said: Vec<String>,
    /// The entry of the last of it.
    pub(super) last: Option<u64>,
    pub(super) answer: String,
}

impl Exchange {
    /// As a model reads it: nothing in it speaks to that.
    pub(super) fn fenced(&self) -> String {
        fenced(&format!("Person:\n{}\n\nAgent:\n{}", self.said.join("\n\n"), self.answer))
    }
}

impl SideCalls<'_> {
    /// The end of the run before it in the conversation; 0: it was the first.
    pub(super) async fn since_last_run(self, answered: &AnsweredRun) -> Result<u64> {
        let end: Option<u64> = query(
            "SELECT e.seq FROM entries e
             WHERE e.conversation_id = $1 AND e.kind = 'run_finished'
               AND e.seq < (SELECT MIN(o.seq) FROM entries o WHERE o.run_id = $2)
             ORDER BY e.seq DESC LIMIT 1",
            (&answered.conversation, &answered.run),
        )
        .fetch_optional(self.hub.store().read())
        .await?;
        Ok(end.unwrap_or(0))
    }

    /// The last messages of the conversation behind this entry and the answer, as far as they count as said.
    pub(super) async fn exchange(
        self,
        answered: &AnsweredRun,
        since: u64,
        is_said: fn(&Sender) -> bool,
    ) -> Result<Exchange> {
        let store = self.hub.store();
        let lineage = Lineage::of(store.read(), &answered.conversation).await?;
        let mut exchange = Exchange::default();
        for entry in lineage.last(store, u64::MAX, Kinds::Messages, LOOK_BACK).await? {
            let EntryBody::Message { from, text, .. } = entry.body else { continue };
            if entry.seq > since && is_said(&from) && !text.trim().is_empty() {
                exchange.last = exchange.last.or(Some(entry.seq));
                exchange.said.push(beginning(&text, MESSAGE));
            }
        }
        exchange.said.reverse();
        for entry in run_texts(store, &answered.run).await? {
            if let EntryBody::Block { block: Block::Text { text }, .. } = entry.body {
                exchange.answer = beginning(&text, ANSWER);
            }
        }
        Ok(exchange)
    }
}

fn beginning(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}
