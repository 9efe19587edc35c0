//! A run that the last process left goes on here, from what the log has of it: at the same place, under a new
//! lease, in the same home.

use super::Execution;
use super::definition::Definition;
use super::hand_over::NextDriver;
use super::lease::Driven;
use super::lease_holder::LeaseHolder;
use super::recovery::LeftRun;
use super::steering::Unread;
use super::streamed::Streamed;
use crate::clock::new_secret;
use crate::error::Result;
use crate::runs::Runs;
use protocol::agent::Home;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::{AgentId, RunId};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Runs<'_> {
    /// In a browser it goes on as soon as a page of the agent is open.
    pub(super) async fn take_up(self, left: LeftRun) -> Result<()> {
        let LeftRun {
            run,
            agent,
            conversation,
            home,
            asked_by,
            scheduled_by,
            pipeline,
            chain,
            own_model,
            is_ambient,
            undriven_since,
            crashes,
        } = left;
        let mut definition = Definition {
            asked_by,
            scheduled_by,
            pipeline,
            chain,
            ..self.definition_with(&agent, &conversation, own_model).await?
        };
        if is_ambient {
            definition.spec = agent::ambient::spec(&definition.spec);
        }
        let transcript = self.transcript(&conversation, &definition.spec).await?;
        let Some(beginning) = self.turn_to_begin(&agent, &run).await? else { return Ok(()) };
        let token = new_secret();
        let mut appending = self.hub.log().appending().await?;
        appending.pass_lease(&run, &token, &Driven { home, by: None }).await?;
        appending.take_over(&run, self.hub.process(), crashes).await?;
        // As long as the hub was away, so was every browser.
        let undriven_since = undriven_since.unwrap_or_else(|| self.hub.now());
        match home {
            Home::Hub => {}
            Home::Browser => appending.note_undriven(&run, undriven_since).await?,
        }
        self.hub.log().commit(appending).await?;
        let (holder, taker) = match home {
            Home::Hub => NextDriver::seated(token.clone(), home, None),
            Home::Browser => (LeaseHolder::empty(token.clone()), NextDriver::Nobody),
        };
        let execution = Execution::new(self.hub, &agent, definition, &run, holder);
        *execution.streamed() = Streamed::of(&run, &transcript.entries);
        self.note_unread(&agent, &run, &transcript.entries).await?;
        beginning.ends_with(Arc::clone(&execution));
        execution.watch_devices();
        self.hub.counters().resumed();
        tracing::info!(run.id = %run, "run {run} goes on");
        match home {
            Home::Hub => execution.begin(token, taker, transcript).await,
            Home::Browser => execution.wait_for_a_page(undriven_since),
        }
        Ok(())
    }

    /// What was said and no run has read, in whatever conversation: this one may read its own, and the next run
    /// the rest.
    async fn note_unread(self, agent: &AgentId, run: &RunId, transcript: &[Entry]) -> Result<()> {
        let said = self.unread_messages(agent).await?;
        let is_own = |entry: &&Entry| entry.run.as_ref() == Some(run);
        let begun = transcript.iter().find(is_own).map_or(u64::MAX, |entry| entry.seq);
        let read: BTreeSet<u64> = transcript
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Steered { seq, .. } => Some(*seq),
                _ => None,
            })
            .collect();
        let notes = transcript.iter().filter(|entry| {
            let is_note = matches!(
                entry.body,
                EntryBody::Message {
                    from: Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. },
                    ..
                }
            );
            is_note && entry.seq > begun && !read.contains(&entry.seq)
        });
        let mut waiting = self.hub.active_runs().waiting();
        let waiting = waiting.entry(agent.clone()).or_default();
        waiting.notes.extend(notes.map(|entry| entry.seq));
        for (seq, conversation) in said {
            waiting.unread.insert(seq, Unread { conversation, tab: None });
        }
        Ok(())
    }
}
