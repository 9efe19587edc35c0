//! How what was said comes to be read: by the run under way, or by the next one.

use super::page_events::PageEvent;
use crate::error::Result;
use crate::live::TabKey;
use crate::log::{Appending, EntryScope};
use crate::runs::Runs;
use protocol::log::{EntryBody, Sender};
use protocol::run::RunReply;
use protocol::{AgentId, Attachment, ConversationId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What waits while an agent works.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) page_events: VecDeque<PageEvent>,
    /// Who waits for the final text of the run under way.
    pub(super) asker: Option<(TabKey, u64)>,
    /// What was said and no run has read, by the numbers of the entries.
    /// They stand here before they are committed, for a run that begins at that moment finds them in the log.
    pub(super) unread: BTreeMap<u64, Unread>,
    /// What the hub said of devices during the run and no model call has read: the next run reads it.
    pub(super) notes: BTreeSet<u64>,
}

impl Waiting {
    /// What was said last in the conversation in which something was said first.
    pub(super) fn next_unread(&self) -> Option<Unread> {
        let first = &self.unread.values().next()?.conversation;
        self.unread.values().rev().find(|unread| unread.conversation == *first).cloned()
    }
}

/// Something that was said.
#[derive(Clone)]
pub(super) struct Unread {
    pub(super) conversation: ConversationId,
    /// Where it was said.
    pub(super) tab: Option<TabKey>,
}

/// What a run under way is told of a message.
pub(super) struct Steering {
    pub(super) from: Sender,
    pub(super) text: String,
    pub(super) attachments: Vec<Attachment>,
    /// It waits for a run of its own, with its model.
    pub(super) waits: bool,
}

impl Runs<'_> {
    /// Commits what was said, and lets a run read it: a new one, or with `steering` the one under way. So it
    /// goes on if whoever said it hangs up, and if the run cannot begin now, it does when the store is back.
    pub(super) async fn say(
        self,
        appending: Appending,
        agent: &AgentId,
        seq: u64,
        unread: Unread,
        steering: Option<Steering>,
    ) -> Result<()> {
        let (hub, agent) = (self.hub.clone(), agent.clone());
        let said = self.hub.tasks().complete(async move {
            hub.runs().commit_unread(appending, &agent, seq, unread.clone()).await?;
            if let Err(error) = hub.runs().be_read(&agent, seq, &unread, steering).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "what was said to agent {agent} waits: {failure}");
                hub.active_runs().keeper.left_undone();
            }
            Ok(())
        });
        said.await?
    }

    /// Says this for another agent, with what else the commit holds.
    pub(crate) async fn say_for_agent(
        self,
        mut appending: Appending,
        place: &EntryScope,
        from: Sender,
        text: String,
    ) -> Result<()> {
        let Some(conversation) = place.conversation.clone() else { return appending.give_up().await };
        let steering =
            Steering { from: from.clone(), text: text.clone(), attachments: Vec::new(), waits: false };
        let seq = appending.append(place, EntryBody::said(from, text)).await?;
        let said = Unread { conversation, tab: None };
        self.say(appending, &place.agent, seq, said, Some(steering)).await
    }

    async fn be_read(
        self,
        agent: &AgentId,
        seq: u64,
        unread: &Unread,
        steering: Option<Steering>,
    ) -> Result<()> {
        let is_seen =
            |steering: &Steering| !matches!(steering.from, Sender::Agent { .. } | Sender::Job { .. });
        if steering.as_ref().is_some_and(is_seen) {
            self.hub.schedules().was_seen(agent).await?;
        }
        // A run that began and ended meanwhile may have read it.
        if self.is_unread(agent, seq)
            && self.begin_for(agent, unread.tab).await?.is_none()
            && let Some(steering) = steering.filter(|steering| !steering.waits)
        {
            self.steer(agent, &unread.conversation, seq, steering);
        }
        Ok(())
    }

    async fn commit_unread(
        self,
        appending: Appending,
        agent: &AgentId,
        seq: u64,
        unread: Unread,
    ) -> Result<()> {
        self.hub.active_runs().waiting().entry(agent.clone()).or_default().unread.insert(seq, unread);
        let committed = self.hub.log().commit(appending).await;
        if committed.is_err() {
            self.message_was_read(agent, seq);
        }
        committed
    }

    /// Tells the run under way what the person wrote, unless it has read it in the log. What was said in another
    /// conversation waits until it is over.
    fn steer(self, agent: &AgentId, conversation: &ConversationId, seq: u64, steering: Steering) {
        if self.is_unread(agent, seq)
            && let Some(execution) = self.hub.active_runs().active(agent)
            && execution.conversation() == conversation
        {
            let Steering { from, text, attachments, waits: _ } = steering;
            execution.reply(RunReply::Steer { seq, from, text, attachments });
        }
    }

    /// Tells the run under way in the conversation what wakes nobody. Without one the next run finds it in the
    /// log.
    pub(crate) fn note(
        self,
        agent: &AgentId,
        conversation: &ConversationId,
        seq: u64,
        from: Sender,
        text: String,
    ) {
        if self.hub.active_runs().is_active(agent) {
            self.note_is_unread(agent, seq);
            self.steer(
                agent,
                conversation,
                seq,
                Steering { from, text, attachments: Vec::new(), waits: false },
            );
        }
    }

    /// A run begins that has everything of its conversation up to this entry in its transcript.
    pub(super) fn were_read(self, agent: &AgentId, conversation: &ConversationId, upto: u64) {
        if let Some(waiting) = self.hub.active_runs().waiting().get_mut(agent) {
            waiting.unread.retain(|seq, unread| *seq > upto || unread.conversation != *conversation);
        }
    }

    /// What was said in the conversation from this entry on was taken back.
    pub(super) fn waits_no_more(self, agent: &AgentId, conversation: &ConversationId, from: u64) {
        if let Some(waiting) = self.hub.active_runs().waiting().get_mut(agent) {
            waiting.unread.retain(|seq, unread| *seq < from || unread.conversation != *conversation);
        }
    }

    pub(super) fn is_unread(self, agent: &AgentId, seq: u64) -> bool {
        let waiting = self.hub.active_runs().waiting();
        let waiting = waiting.get(agent);
        waiting.is_some_and(|waiting| waiting.unread.contains_key(&seq) || waiting.notes.contains(&seq))
    }

    pub(super) fn note_is_unread(self, agent: &AgentId, seq: u64) {
        self.hub.active_runs().waiting().entry(agent.clone()).or_default().notes.insert(seq);
    }

    pub(super) fn message_was_read(self, agent: &AgentId, seq: u64) {
        if let Some(waiting) = self.hub.active_runs().waiting().get_mut(agent) {
            waiting.unread.remove(&seq);
            waiting.notes.remove(&seq);
        }
    }
}
