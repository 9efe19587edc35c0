//! A message and its answer in one call, for programs that want no stream.

use super::final_answer::{final_text, in_words};
use crate::error::Result;
use crate::log::entries_after;
use crate::runs::OwnRuns;
use protocol::log::{Entry, EntryBody};
use protocol::view::{MessageOutcome, Spent};
use protocol::{AgentId, RunId};
use std::time::Duration;
use tokio::time::Instant;

/// Longest wait for an answer.
pub const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// Another hub on the same database may have the run, of which nobody tells this one: so often it looks.
const LOOKS: Duration = Duration::from_millis(500);

impl OwnRuns<'_> {
    /// Sends the message and waits for the end of the run that reads it, at most so long. The run
    /// goes on when nobody waits any more.
    pub async fn ask(
        self,
        agent: &AgentId,
        text: &str,
        key: Option<&str>,
        wait: Duration,
    ) -> Result<MessageOutcome> {
        let until = Instant::now() + wait.min(LONGEST_WAIT);
        let sent = self.send_message(agent, text, key, None).await?;
        let mut seen = Vec::new();
        let mut after = sent.seq;
        loop {
            // Before the log is read, so that no beginning after that goes by.
            let begun = self.scoped.hub.active_runs().begun.notified();
            tokio::pin!(begun);
            begun.as_mut().enable();
            let more = entries_after(self.scoped.hub.store(), agent, after).await?.entries;
            after = more.last().map_or(after, |entry| entry.seq);
            seen.extend(more);
            seen.retain(|entry: &Entry| entry.conversation.as_ref() == Some(&sent.conversation));
            let run = reader(&seen, sent.seq);
            let answered = answer(sent.seq, run.as_ref(), &seen);
            if answered.outcome.is_some() || Instant::now() >= until {
                return Ok(answered);
            }
            let ended = async {
                match self.scoped.hub.active_runs().active(agent) {
                    Some(execution) => execution.ended().await,
                    None => tokio::time::timeout(LOOKS, begun).await.unwrap_or(()),
                }
            };
            // Whatever comes first: the log says which it was.
            let _ = tokio::time::timeout_at(until, ended).await;
        }
    }
}

/// The run that reads the message `seq`: one that was told of it, or the next to start.
fn reader(entries: &[Entry], seq: u64) -> Option<RunId> {
    let reads = |entry: &&Entry| match &entry.body {
        EntryBody::Steered { seq: read, .. } => *read == seq,
        EntryBody::RunStarted { .. } => true,
        _ => false,
    };
    entries.iter().find(reads)?.run.clone()
}

fn answer(seq: u64, run: Option<&RunId>, entries: &[Entry]) -> MessageOutcome {
    let mut answered = MessageOutcome {
        seq,
        run: run.cloned(),
        outcome: None,
        text: String::new(),
        error: None,
        spent: Spent::default(),
    };
    let Some(run) = run else { return answered };
    for entry in entries.iter().filter(|entry| entry.run.as_ref() == Some(run)) {
        match &entry.body {
            EntryBody::Used { usage, cost, .. } => {
                answered.spent.input_tokens += usage.prompt();
                answered.spent.output_tokens += usage.output;
                if let Some(cost) = cost {
                    answered.spent.cost.get_or_insert_default().0 += cost.0;
                }
            }
            EntryBody::RunFinished { outcome, .. } => answered.outcome = Some(outcome.clone()),
            _ => {}
        }
    }
    answered.text = final_text(entries, run);
    answered.error = answered.outcome.as_ref().map(in_words).filter(|words| !words.is_empty());
    answered
}
