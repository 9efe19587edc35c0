//! What there is to do in a conversation: a list that the agent keeps and its person changes too. It stands in the
//! log, whole with each change, so that a branch has what it was there.

mod list;

pub(crate) use list::{TodoChange, of_elsewhere};

use crate::access::Scoped;
use crate::error::Result;
use crate::log::{Appending, EntryScope, Kinds, Lineage, packed};
use crate::store::{FromRow, Transaction};
use crate::{Hub, agents};
use protocol::ConversationId;
use protocol::log::{Entry, EntryBody, Sender};
use protocol::schedule::Author;
use protocol::todo::{TodoList, TodoState};

/// The lists of the viewer's conversations.
#[derive(Clone, Copy, Debug)]
pub struct OwnTodos<'a> {
    scoped: Scoped<'a>,
}

impl<'a> Scoped<'a> {
    pub fn todos(&self) -> OwnTodos<'a> {
        OwnTodos { scoped: *self }
    }
}

/// The lists of all conversations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Todos<'a> {
    hub: &'a Hub,
}

impl Hub {
    pub(crate) fn todos(&self) -> Todos<'_> {
        Todos { hub: self }
    }
}

impl Todos<'_> {
    pub(crate) async fn read(self, conversation: &ConversationId) -> Result<TodoList> {
        let lineage = Lineage::of(self.hub.store().read(), conversation).await?;
        let last = lineage.last(self.hub.store(), u64::MAX, Kinds::Todo, 1).await?.pop();
        Ok(last.map(|entry| of(entry.body)).unwrap_or_default())
    }

    /// As the agent wants it.
    pub(crate) async fn change_own(self, place: &EntryScope, change: TodoChange) -> Result<TodoList> {
        self.hub.spaces().require_for(&place.agent).await?;
        let mut appending = self.hub.log().appending().await?;
        let list = change.made_of(appending.lock_todo(place).await?)?;
        appending.append(place, EntryBody::Todo { by: Author::Agent, list: list.clone() }).await?;
        self.hub.log().commit(appending).await?;
        Ok(list)
    }
}

impl OwnTodos<'_> {
    pub async fn read(self, conversation: &ConversationId) -> Result<TodoList> {
        self.scoped.conversations().get(conversation).await?;
        self.scoped.hub.todos().read(conversation).await
    }

    pub async fn add(self, conversation: &ConversationId, text: &str) -> Result<TodoList> {
        self.change(conversation, TodoChange::Add { text: text.to_owned() }).await
    }

    /// Ticks what is to be done, strikes it, or takes that back.
    pub async fn mark(self, conversation: &ConversationId, id: u32, state: TodoState) -> Result<TodoList> {
        self.change(conversation, TodoChange::Change { id, text: None, state: Some(state) }).await
    }

    /// The agent is told before its next turn, and not woken.
    async fn change(self, conversation: &ConversationId, change: TodoChange) -> Result<TodoList> {
        let agent = self.scoped.conversations().get(conversation).await?.agent;
        let hub = self.scoped.hub;
        hub.spaces().require(&self.scoped.viewer.me.id).await?;
        let place = EntryScope { agent, conversation: Some(conversation.clone()), run: None };
        let mut appending = hub.log().appending().await?;
        let before = appending.lock_todo(&place).await?;
        let list = change.made_of(before.clone())?;
        let Some(told) = list::difference(&before, &list) else {
            appending.give_up().await?;
            return Ok(list);
        };
        appending.append(&place, EntryBody::Todo { by: Author::Person, list: list.clone() }).await?;
        let seq = appending.append(&place, EntryBody::said(Sender::Todo, told.clone())).await?;
        hub.log().commit(appending).await?;
        hub.runs().note(&place.agent, conversation, seq, Sender::Todo, told);
        Ok(list)
    }
}

impl Appending {
    /// The list as it is, until the commit. That of a packed conversation is among what is unpacked: whoever changes it
    /// unpacks it anyway.
    async fn lock_todo(&mut self, place: &EntryScope) -> Result<TodoList> {
        agents::lock(&mut self.tx, &place.agent).await?;
        let Some(conversation) = &place.conversation else { return Ok(TodoList::default()) };
        packed::unpack(&mut self.tx, conversation).await?;
        last(&mut self.tx, conversation).await
    }
}

async fn last(tx: &mut Transaction, conversation: &ConversationId) -> Result<TodoList> {
    let lineage = Lineage::of(&mut **tx, conversation).await?;
    for range in lineage.ranges().into_iter().rev() {
        let rows = range.last(&mut **tx, i64::MAX, Kinds::Todo, 1).await?;
        if let Some(row) = rows.first() {
            return Ok(of(Entry::from_row(row)?.body));
        }
    }
    Ok(TodoList::default())
}

fn of(body: EntryBody) -> TodoList {
    match body {
        EntryBody::Todo { list, .. } => list,
        _ => TodoList::default(),
    }
}
