//! Conversations of a file become an agent's: each in one transaction, with the times that it had.

use super::conversation::{Conversation, LeftOut, Speaker, Todo, Turn};
use super::export::Export;
use crate::Hub;
use crate::agents;
use crate::clock::new_id;
use crate::conversations::{Held, PastBranch};
use crate::error::{Error, Result};
use crate::fair_queue::{Permit, QueueFull};
use crate::imports::OwnImports;
use crate::log::{Appending, EntryScope, Lineage, PastEntry};
use crate::store::query;
use crate::todo;
use crate::zip::Entries;
use protocol::agent::Home;
use protocol::import::ImportSource;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, StopReason};
use protocol::schedule::Author;
use protocol::view::AgentDraft;
use protocol::{AgentId, RunId, UserId};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Messages that are brought in at a time.
const AT_A_TIME: usize = 20_000;

/// Whose conversations they become.
#[derive(Clone, Debug)]
pub enum ImportTarget {
    Agent(AgentId),
    New(Box<AgentDraft>),
}

struct Bringing {
    hub: Hub,
    owner: UserId,
    agent: AgentId,
    upload: String,
    source: ImportSource,
}

impl OwnImports<'_> {
    /// Brings in the conversations with these numbers, those that were used last first. Each is brought in whole or
    /// not at all, and one that is here already is passed over.
    pub async fn create(self, upload: &str, into: ImportTarget, chosen: &BTreeSet<u32>) -> Result<AgentId> {
        let owner = self.scoped.viewer.me.id.clone();
        let turn = self.turn().await?;
        let (_, Export { source, conversations, .. }) = self.open(upload).await?;
        if chosen.is_empty() {
            return Err(Error::invalid("Choose at least one conversation."));
        }
        let is_chosen = |place: &usize| u32::try_from(*place).is_ok_and(|place| chosen.contains(&place));
        let numbered = conversations.into_iter().enumerate();
        let mut conversations: Vec<Conversation> =
            numbered.filter(|(place, _)| is_chosen(place)).map(|(_, conversation)| conversation).collect();
        if conversations.len() < chosen.len() {
            return Err(Error::invalid("The file has no such conversation. Load the page again."));
        }
        conversations.sort_by_key(|conversation| Reverse(conversation.said_at()));
        self.scoped.hub.spaces().require(&owner).await?;
        let agent = match into {
            ImportTarget::Agent(agent) => {
                self.scoped.require_agent(&agent).await?;
                agent
            }
            ImportTarget::New(draft) => self.scoped.agents().create(*draft).await?.id,
        };
        let hub = self.scoped.hub.clone();
        let bringing = Bringing { hub, owner, agent: agent.clone(), upload: upload.to_owned(), source };
        let brought = self.scoped.hub.tasks().complete(async move {
            let brought = bringing.all(conversations, AT_A_TIME).await;
            drop(turn);
            brought
        });
        brought.await??;
        Ok(agent)
    }
}

/// What was said with the agent of an archive. No more of these are in memory than of files that are brought in.
pub(crate) struct ArchivedConversations {
    hub: Hub,
    owner: UserId,
    conversations: Vec<Conversation>,
    turn: Permit<UserId>,
}

impl OwnImports<'_> {
    /// A turn to bring something in.
    pub(crate) async fn turn(self) -> Result<Permit<UserId>> {
        self.scoped.hub.0.imports.0.enter(&self.scoped.viewer.me.id).await.map_err(|QueueFull| {
            Error::Limit("Too many of your imports are under way. Try again in a moment.".to_owned())
        })
    }

    /// The conversations of an archive, each a file as this product exports it.
    pub(crate) async fn read_archived(
        self,
        files: Entries,
        turn: Permit<UserId>,
    ) -> Result<ArchivedConversations> {
        let reading = self.scoped.archives().archive_turn().await?;
        let read = tokio::task::spawn_blocking(move || {
            let exports = files.into_values().filter_map(|file| Export::of_texts(&[file]).ok());
            let conversations: Vec<Conversation> = exports.flat_map(|export| export.conversations).collect();
            drop(reading);
            conversations
        });
        let conversations = read.await.map_err(Error::internal)?;
        let (hub, owner) = (self.scoped.hub.clone(), self.scoped.viewer.me.id.clone());
        Ok(ArchivedConversations { hub, owner, conversations, turn })
    }
}

impl ArchivedConversations {
    /// Brings all of them in, for the agent that was made of the archive: each whole or not at all.
    pub(crate) async fn bring(self, agent: &AgentId) -> Result<()> {
        let Self { hub, owner, mut conversations, turn } = self;
        for conversation in &mut conversations {
            // Of two agents that are made of one archive each has its own.
            conversation.id = format!("{agent}:{}", conversation.id);
        }
        let (agent, upload) = (agent.clone(), String::new());
        let bringing = Bringing { hub, owner, agent, upload, source: ImportSource::Vivarium };
        let brought = bringing.all(conversations, usize::MAX).await;
        drop(turn);
        brought
    }
}

impl Bringing {
    /// The conversation that passes `most` messages is the last one.
    async fn all(&self, conversations: Vec<Conversation>, most: usize) -> Result<()> {
        let (all, mut brought, mut messages) = (conversations.len(), 0_usize, 0_usize);
        for conversation in conversations {
            if messages >= most {
                return Err(Error::Limit(format!(
                    "{brought} of {all} conversations were brought in, with {messages} messages, which are as many as come at a time. Bring the others in next."
                )));
            }
            if self.hub.tasks().is_closing() {
                return Err(Error::Conflict(format!(
                    "{brought} of {all} conversations were brought in, and the hub is being stopped. Bring the others in when it runs again."
                )));
            }
            let count = conversation.messages();
            if self.one(conversation).await.map_err(|error| so_far(error, brought, all))? {
                brought += 1;
                messages += count;
            }
        }
        Ok(())
    }

    /// Whether it was not here yet.
    async fn one(&self, conversation: Conversation) -> Result<bool> {
        self.hub.spaces().require(&self.owner).await?;
        let mut appending = self.hub.log().appending().await?;
        agents::lock(&mut appending.tx, &self.agent).await?;
        let is_theirs =
            query("SELECT 1 FROM agents WHERE id = $1 AND user_id = $2", (&self.agent, &self.owner))
                .exists(&mut *appending.tx)
                .await?;
        if !is_theirs {
            return Err(Error::NotFound("agent"));
        }
        // Whoever follows the agent takes the beginnings and ends of runs for those of its one run.
        let is_at_work = query("SELECT 1 FROM runs WHERE agent_id = $1 AND running = 1", (&self.agent,))
            .exists(&mut *appending.tx)
            .await?;
        if is_at_work {
            return Err(Error::Conflict(
                "The agent is at work. Wait until it is done, or stop it, and bring the others in then."
                    .to_owned(),
            ));
        }
        let is_known = query(
            "SELECT 1 FROM imported_conversations WHERE user_id = $1 AND source = $2 AND source_id = $3",
            (&self.owner, self.source, &conversation.id),
        )
        .exists(&mut *appending.tx)
        .await?;
        if is_known {
            appending.give_up().await?;
            return Ok(false);
        }
        let begun_at = conversation.begun_at().unwrap_or(appending.now());
        let held = Held {
            title: &conversation.title,
            first_words: conversation.turns.first().map_or("", |turn| turn.text.as_str()),
            begun_at,
            used_at: conversation.said_at().unwrap_or(begun_at),
        };
        let id = appending.insert_past_conversation(&self.agent, held).await?;
        let Conversation { id: source_id, turns, todos, branches, shown, left_out, .. } = conversation;
        let before = told(self.source, &left_out, begun_at);
        let root = before.into_iter().chain(entries(turns, todos, begun_at)).collect();
        let root = self.append(&mut appending, Lineage::with(id.clone(), Vec::new()), root).await?;
        if !self.note(&mut appending, &source_id, &root).await? {
            appending.give_up().await?;
            return Ok(false);
        }
        let mut brought = vec![root];
        for branch in branches {
            let Some(left) = brought.get(branch.of) else { continue };
            let at = left.seq_from(branch.at);
            let begins = PastBranch { left: left.lineage.conversation(), at };
            let own = appending.insert_past_branch(&id, begins).await?;
            let segments = left.lineage.until(left.seq_from(branch.end), left.seq_from(branch.messages_end));
            appending.insert_segments(&own, &segments).await?;
            let said = entries(branch.turns, branch.todos, begun_at);
            let branch = self.append(&mut appending, Lineage::with(own, segments), said).await?;
            self.note(&mut appending, &format!("{source_id}/{}", brought.len()), &branch).await?;
            brought.push(branch);
        }
        if let Some(shown) = brought.get(shown).filter(|_| shown > 0) {
            appending.show_past_branch(&id, shown.lineage.conversation()).await?;
        }
        self.hub.log().commit(appending).await?;
        Ok(true)
    }
}

/// A conversation or a branch of one that is here.
struct Brought {
    lineage: Lineage,
    /// The numbers that its entries had, and those that they have.
    seqs: Vec<(u64, u64)>,
    /// The last number of the agent's when it was brought in: of a branch that says nothing of its own there are no others.
    last: u64,
}

impl Brought {
    /// The number of the entry that had this one, or of the first one behind it.
    fn seq_from(&self, seq: u64) -> u64 {
        let at = self.seqs.partition_point(|(old, _)| *old < seq);
        self.seqs.get(at).map_or(self.last + 1, |(_, new)| *new)
    }
}

impl Bringing {
    async fn append(
        &self,
        appending: &mut Appending,
        lineage: Lineage,
        entries: Vec<(u64, PastEntry)>,
    ) -> Result<Brought> {
        let (old, past): (Vec<u64>, Vec<PastEntry>) = entries.into_iter().unzip();
        let conversation = Some(lineage.conversation().clone());
        let place = EntryScope { agent: self.agent.clone(), conversation, run: None };
        let last = appending.append_past(&place, past).await?;
        let last = u64::try_from(last).map_err(Error::internal)?;
        let first = last + 1 - old.len() as u64;
        Ok(Brought { lineage, seqs: old.into_iter().zip(first..).collect(), last })
    }

    /// Nobody said here what came with it. `false`: it was brought in meanwhile.
    async fn note(&self, appending: &mut Appending, source_id: &str, brought: &Brought) -> Result<bool> {
        let inserted = query(
            "INSERT INTO imported_conversations (user_id, source, source_id, conversation_id, last_seq, upload_id)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
            (
                &self.owner,
                self.source,
                source_id,
                brought.lineage.conversation(),
                brought.last,
                &self.upload,
            ),
        )
        .execute(&mut *appending.tx)
        .await?;
        Ok(inserted > 0)
    }
}

/// A word about where it comes from.
fn told(source: ImportSource, left_out: &LeftOut, begun_at: i64) -> Vec<(u64, PastEntry)> {
    let body = EntryBody::Imported { name: source.name().to_owned(), notes: left_out.sentences() };
    vec![(0, PastEntry { at: begun_at, run: None, body })]
}

/// As if it had been held here, with a run for each answer; with the numbers that entries had.
fn entries(turns: Vec<Turn>, todos: Vec<Todo>, begun_at: i64) -> Vec<(u64, PastEntry)> {
    let mut entries = Vec::new();
    let mut turns = turns.into_iter().peekable();
    let mut last = begun_at;
    while let Some(turn) = turns.next() {
        let at = turn.at.unwrap_or(last);
        last = at;
        if turn.by == Speaker::Person {
            let body = EntryBody::said(Sender::Person, turn.text);
            entries.push((turn.seq, PastEntry { at, run: None, body }));
            continue;
        }
        let (run, of) = (RunId(new_id()), turn.run.clone());
        let mut seq = turn.seq;
        let mut push = |seq, at, body| entries.push((seq, PastEntry { at, run: Some(run.clone()), body }));
        push(
            seq,
            at,
            EntryBody::RunStarted {
                home: Home::Hub,
                model: None,
                rounds: None,
                driver: None,
                unverified: false,
            },
        );
        let (mut index, mut next) = (0, Some(turn));
        while let Some(turn) = next {
            last = turn.at.unwrap_or(last);
            seq = turn.seq;
            push(seq, last, EntryBody::Block { turn: 0, index, block: Block::Text { text: turn.text } });
            index += 1;
            next = turns.next_if(|turn| turn.by == Speaker::Agent && turn.run == of);
        }
        push(seq, last, EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn });
        push(seq, last, EntryBody::finished(Outcome::Completed));
    }
    for Todo { seq, at, list } in todos {
        let body = EntryBody::Todo { by: Author::Agent, list: todo::of_elsewhere(list) };
        entries.push((seq, PastEntry { at: at.unwrap_or(begun_at), run: None, body }));
    }
    // Between what was said before and after them. What has one number stays in its order.
    entries.sort_by_key(|(seq, _)| *seq);
    entries
}

/// The error with how far it came.
fn so_far(error: Error, brought: usize, all: usize) -> Error {
    let words = |message: String| format!("{brought} of {all} conversations were brought in. {message}");
    match error {
        Error::Conflict(message) => Error::Conflict(words(message)),
        Error::Invalid(message) => Error::Invalid(words(message)),
        Error::Limit(message) => Error::Limit(words(message)),
        Error::Upstream(message) => Error::Upstream(words(message)),
        Error::TooOften { message, wait_seconds } => {
            Error::TooOften { message: words(message), wait_seconds }
        }
        error @ (Error::Unauthenticated
        | Error::Forbidden(_)
        | Error::NotFound(_)
        | Error::Unavailable { .. }
        | Error::Internal(_)) => error,
    }
}
