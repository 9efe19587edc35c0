//! What people say to an agent.

use super::definition::Definition;
use super::start::MessageRun;
use super::start_commit::Speaks;
use super::steering::{Steering, Unread};
use crate::agents::{check_model, require_not_paused};
use crate::clock::new_id;
use crate::conversations::Branch;
use crate::delegations::AskedChain;
use crate::error::{Error, Result};
use crate::log::{EntryScope, last_end, run_entries};
use crate::runs::OwnRuns;
use crate::store::{Transaction, query};
use agent::ambient::is_ambient;
use protocol::log::EntryBody;
use protocol::view::{ConversationView, Sent};
use protocol::{AgentId, Attachment, AttachmentId, ConversationId, RunId, TabId, TokenId};

/// Longest message, in bytes.
const MESSAGE: usize = 256 * 1024;
/// Longest key of a message, in bytes.
const KEY: usize = 100;

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
        let drafted = appending.send_draft(&conversation, &steering.text, &attachments).await?;
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
