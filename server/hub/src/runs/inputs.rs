//! What people say to an agent, and how a run comes to read it.

use super::Execution;
use super::definition::Definition;
use super::page_events::PageEvent;
use super::start::{MessageRun, Speaks};
use crate::agents::{check_model, require_not_paused};
use crate::clock::new_id;
use crate::conversations::Branch;
use crate::delegations::AskedChain;
use crate::error::{Error, Result};
use crate::live::TabKey;
use crate::log::{Appending, EntryScope, last_end, run_entries};
use crate::runs::{OwnRuns, Runs};
use crate::store::{Transaction, query};
use agent::ambient::is_ambient;
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::run::RunReply;
use protocol::view::{ConversationView, Sent};
use protocol::{AgentId, Attachment, AttachmentId, ConversationId, RunId, TabId, TokenId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use tracing::{Instrument, info_span};

/// Longest message, in bytes.
const MESSAGE: usize = 256 * 1024;
/// Longest key of a message, in bytes.
const KEY: usize = 100;

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
    fn next_unread(&self) -> Option<Unread> {
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

/// Where a program says something to an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProgramPlace<'a> {
    /// In the conversation that was used last.
    WithOthers,
    /// In this one, which is the program's own.
    Beside(&'a ConversationId),
    /// In a new one, which is there if the run begins.
    Anew,
}

/// What somebody says to an agent.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// May be empty where something is attached.
    pub text: &'a str,
    pub attachments: &'a [AttachmentId],
    /// The sender's own for this message.
    pub key: Option<&'a str>,
}

/// Where a message goes.
enum Recipient {
    Conversation(ConversationId),
    /// One that begins with it.
    Branch(Branch),
}

impl Recipient {
    fn conversation(&self) -> &ConversationId {
        match self {
            Self::Conversation(conversation) => conversation,
            Self::Branch(branch) => &branch.id,
        }
    }
}

/// What a run under way is told of a message.
pub(super) struct Steering {
    from: Sender,
    text: String,
    attachments: Vec<Attachment>,
    /// It waits for a run of its own, with its model.
    waits: bool,
}

impl OwnRuns<'_> {
    /// Says words with nothing attached.
    pub async fn send_message(
        self,
        agent: &AgentId,
        text: &str,
        key: Option<&str>,
        tab: Option<&TabId>,
    ) -> Result<Sent> {
        self.send(agent, Outgoing { text, attachments: &[], key }, tab).await
    }

    /// Appends the message to the conversation and wakes the agent. When it returns, the message is committed.
    /// Under a `key` that the agent has seen nothing happens again: whoever lost the answer may repeat.
    pub async fn send(self, agent: &AgentId, message: Outgoing<'_>, tab: Option<&TabId>) -> Result<Sent> {
        self.scoped.require_agent(agent).await?;
        let conversation = self.scoped.conversations().meant(agent, self.conversation).await?;
        self.send_to(agent, Recipient::Conversation(conversation), message, tab).await
    }

    /// Says this instead of what the person said in the entry `seq`: in a branch of the conversation, which has
    /// all that came before. A run that answers in the conversation is stopped.
    pub async fn send_instead(
        self,
        conversation: &ConversationId,
        seq: u64,
        message: Outgoing<'_>,
        tab: Option<&TabId>,
    ) -> Result<Sent> {
        let agent = self.scoped.conversations().get(conversation).await?.agent;
        let runs = self.scoped.hub.runs();
        let branch = self.scoped.conversations().instead_of_message(conversation, seq).await?;
        let over = self.scoped.hub.active_runs().beginning(&agent);
        if let Some(over) = over {
            over.cancelled().await;
        }
        let active = self.scoped.hub.active_runs().active(&agent);
        let answering = active.filter(|execution| execution.conversation() == conversation);
        let rewritten = branch.rewritten.clone();
        let sent = self.send_to(&agent, Recipient::Branch(branch), message, tab).await?;
        if let Some((of, from)) = rewritten {
            runs.waits_no_more(&agent, &of, from);
        }
        if let Some(answering) = answering {
            runs.stop_only(&agent, &answering.run).await?;
        }
        Ok(sent)
    }

    async fn send_to(
        self,
        agent: &AgentId,
        recipient: Recipient,
        message: Outgoing<'_>,
        tab: Option<&TabId>,
    ) -> Result<Sent> {
        let Outgoing { text, attachments, key } = message;
        let text = text.trim();
        if attachments.is_empty() || !text.is_empty() {
            check_message(text)?;
        }
        if key.is_some_and(|key| key.is_empty() || key.len() > KEY) {
            return Err(Error::invalid("The key of a message is a text of 1 to 100 bytes."));
        }
        let own_model = Some(check_model(self.model)?).filter(|model| !model.is_empty());
        self.scoped.require_counted().await?;
        let attachments = self.scoped.attachments().meant(attachments).await?;
        let tab = tab.and_then(|tab| self.scoped.hub.live().tab_named(tab, self.scoped.viewer));
        let space = self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await;
        let conversation = recipient.conversation().clone();
        let place = EntryScope { agent: agent.clone(), conversation: Some(conversation.clone()), run: None };
        let from = self.scoped.hub.accounts().sender(self.scoped.viewer).await?;
        let text = text.to_owned();
        let steering = Steering {
            from: from.clone(),
            text: text.clone(),
            attachments: attachments.clone(),
            waits: own_model.is_some(),
        };
        let title = if text.is_empty() { names_of(&attachments) } else { text.clone() };
        let body = EntryBody::Message { from, text, attachments: attachments.clone() };
        let mut appending = self.scoped.hub.log().appending().await?;
        let seq = appending.append(&place, body).await?;
        if let Some(key) = key
            && let Some(seq) = sent_before(&mut appending.tx, agent, key, seq).await?
        {
            // The first one may not be on the disk yet, or have found nobody who could begin its run.
            appending.give_up().await?;
            self.scoped.hub.runs().answer_unread_of(agent, tab).await?;
            let conversation = self.scoped.conversations().of_entry(agent, seq).await?;
            return Ok(Sent { seq, conversation });
        }
        if let Err(full) = space {
            appending.give_up().await?;
            return Err(full);
        }
        if let Some(model) = &own_model {
            appending.ask_model(agent, seq, model).await?;
        }
        if let Recipient::Branch(branch) = &recipient {
            appending.insert_branch(branch).await?;
        }
        appending.use_attachments(&self.scoped.viewer.me.id, agent, &attachments).await?;
        appending.use_conversation(&conversation, &title).await?;
        let drafted = appending.send_draft(&conversation, &steering.text).await?;
        let said = Unread { conversation: conversation.clone(), tab };
        self.scoped.hub.runs().say(appending, agent, seq, said, Some(steering)).await?;
        if let Some(version) = drafted {
            let me = &self.scoped.viewer.me.id;
            self.scoped.hub.live().draft_changed(me, agent, &conversation, version);
        }
        Ok(Sent { seq, conversation })
    }

    /// Says it for a program: the message and the run that answers it are one commit, so that no other run,
    /// under other limits, comes to read it. `None`: the agent is at work, and nothing was said.
    pub(crate) async fn ask_alone(
        self,
        agent: &AgentId,
        text: &str,
        token: &TokenId,
        message: Option<&str>,
        place: ProgramPlace<'_>,
        asked_in: Option<AskedChain>,
    ) -> Result<Option<MessageRun>> {
        let text = text.trim();
        check_message(text)?;
        self.scoped.require_agent(agent).await?;
        require_not_paused(self.scoped.hub.store().read(), agent).await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let runs = self.scoped.hub.runs();
        let (definition, speaks) = match place {
            ProgramPlace::WithOthers => (runs.definition(agent).await?, Speaks::WithOthers),
            ProgramPlace::Beside(conversation) => {
                let meant = self.scoped.conversations().meant(agent, Some(conversation)).await?;
                (runs.definition_in(agent, Some(&meant)).await?, Speaks::Beside)
            }
            ProgramPlace::Anew => {
                (runs.definition_in_new(agent, ConversationId(new_id())).await?, Speaks::Anew)
            }
        };
        let asked_as = message.map(str::to_owned);
        let definition = Definition { asked_by: Some(token.clone()), asked_as, asked_in, ..definition };
        let from = self.scoped.hub.accounts().sender(self.scoped.viewer).await?;
        runs.start_saying(agent, definition, from, text, speaks).await
    }

    /// Runs the agent again from where the last run of the conversation left off.
    pub async fn retry(self, agent: &AgentId, tab: Option<&TabId>) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        require_not_paused(self.scoped.hub.store().read(), agent).await?;
        self.scoped.require_counted().await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let tab = tab.and_then(|tab| self.scoped.hub.live().tab_named(tab, self.scoped.viewer));
        self.scoped.hub.runs().end_what_is_over(agent).await?;
        if self.scoped.hub.runs().unread_conversation(agent).await?.is_some() {
            return started(self.scoped.hub.runs().begin_for(agent, tab).await?);
        }
        let conversation = self.scoped.conversations().meant(agent, self.conversation).await?;
        let is_open = match last_end(self.scoped.hub.store(), &conversation).await? {
            // Nobody waits for the answer of a run that thought things over.
            Some((run, outcome)) if outcome.can_retry() => {
                !is_ambient(&run_entries(self.scoped.hub.store(), &run).await?, Some(&run))
            }
            Some(_) | None => false,
        };
        if !is_open {
            return Err(Error::Conflict(
                "There is nothing to retry: the last run has its answer.".to_owned(),
            ));
        }
        started(self.scoped.hub.runs().continue_run(agent, conversation, tab).await?)
    }

    /// Answers again what this run answered: in a branch of the conversation, which has all that came before it.
    /// With `model` that one is asked for this answer alone; empty, it is the one that the conversation is held with.
    pub async fn regenerate(
        self,
        conversation: &ConversationId,
        run: &RunId,
        model: &str,
        tab: Option<&TabId>,
    ) -> Result<ConversationView> {
        let own_model = Some(check_model(model)?).filter(|model| !model.is_empty());
        let conversations = self.scoped.conversations();
        let agent = conversations.get(conversation).await?.agent;
        require_not_paused(self.scoped.hub.store().read(), &agent).await?;
        self.scoped.require_counted().await?;
        self.scoped.hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let tab = tab.and_then(|tab| self.scoped.hub.live().tab_named(tab, self.scoped.viewer));
        self.scoped.hub.runs().end_what_is_over(&agent).await?;
        let branch = conversations.instead_of_run(conversation, run).await?;
        let id = branch.id.clone();
        started(self.scoped.hub.runs().start_in_branch(&agent, branch, own_model, tab).await?)?;
        conversations.get(&id).await
    }

    /// Stops the run under way. Without one nothing happens.
    pub async fn stop(self, agent: &AgentId) -> Result<()> {
        self.scoped.require_agent(agent).await?;
        self.scoped.hub.runs().stop(agent).await
    }
}

fn started(run: Option<RunId>) -> Result<()> {
    match run {
        Some(_) => Ok(()),
        None => Err(Error::Conflict("The agent is at work already.".to_owned())),
    }
}

fn names_of(attachments: &[Attachment]) -> String {
    let names: Vec<&str> = attachments.iter().map(|attachment| attachment.name.as_str()).collect();
    names.join(", ")
}

/// The text without what stands around it, if it can be said.
pub(crate) fn check_message(text: &str) -> Result<&str> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid("Write something first."));
    }
    if text.len() > MESSAGE {
        return Err(Error::Limit("The message is longer than 256 KB. Send less at a time.".to_owned()));
    }
    Ok(text)
}

/// Notes the key for `seq`, or finds the `seq` that it was noted for before.
async fn sent_before(tx: &mut Transaction, agent: &AgentId, key: &str, seq: u64) -> Result<Option<u64>> {
    let noted = query(
        "INSERT INTO sent_messages (agent_id, key, seq) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        (agent, key, seq),
    )
    .execute(&mut **tx)
    .await?;
    if noted > 0 {
        return Ok(None);
    }
    let seq: i64 = query("SELECT seq FROM sent_messages WHERE agent_id = $1 AND key = $2", (agent, key))
        .fetch_one(&mut **tx)
        .await?;
    u64::try_from(seq).map(Some).map_err(Error::internal)
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
    fn waits_no_more(self, agent: &AgentId, conversation: &ConversationId, from: u64) {
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

    /// Answers whoever asked, and goes on with what waited, from a task of its own: the next run may end
    /// before this one's caller does, and that caller may be gone.
    pub(super) fn run_ended(self, ended: &Execution) {
        let asker = self.hub.active_runs().waiting().get_mut(&ended.agent).and_then(|waiting| {
            waiting.notes.clear();
            waiting.asker.take()
        });
        let (hub, agent, schedule) = (self.hub.clone(), ended.agent.clone(), ended.scheduled_by.clone());
        let (run, owner) = (ended.run.clone(), ended.owner.clone());
        let is_stopped =
            ended.outcome.get() == Some(&Outcome::Stopped) && !ended.is_paused.load(Ordering::Relaxed);
        if let Some(answered) = ended.answered() {
            self.hub.side_calls().begin(answered);
        }
        // Not within the run: one after the other would be within all that were before it.
        let span = info_span!(parent: None, "after_run", run.id = %run, agent.id = %agent);
        let go_on = async move {
            if let Some((tab, id)) = asker
                && let Some(tab) = hub.live().tab(tab)
            {
                let answer = hub.runs().final_answer(&run).await;
                tab.send(&HubFrame::Answered { id, answer });
            }
            let unread = hub.active_runs().waiting().get(&agent).and_then(Waiting::next_unread);
            let next = async {
                // What was said in a conversation that is deleted waits for nobody.
                let begun = match unread {
                    Some(unread) => hub.runs().begin_for(&agent, unread.tab).await?,
                    None => None,
                };
                match begun {
                    Some(_) => Ok(()),
                    None => hub.runs().wake(&agent).await,
                }
            };
            if let Err(error) = next.await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "what waited for agent {agent} could not start: {failure}");
                hub.active_runs().keeper.left_undone();
            }
            if let Err(error) = hub.delegations().run_ended(&owner, &run, is_stopped).await {
                let failure = error.into_failure();
                tracing::warn!(run.id = %run, "what agents asked each other does not go on: {failure}");
            }
            if let Err(error) = hub.schedules().let_schedules_run(&agent, schedule.as_ref()).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "schedules of agent {agent} wait on: {failure}");
            }
            if let Err(error) = hub.runs().arm_ambient_run(&agent).await {
                let failure = error.into_failure();
                tracing::warn!(agent.id = %agent, "agent {agent} will not think by itself: {failure}");
            }
        };
        self.hub.tasks().spawn(go_on.instrument(span));
    }
}
