//! Memories by what they mean, for who chose a model that says it: a vector of each is made in the background, and a
//! search looks at those nearest to its own beside those with its words. Without a model, or while it does not answer,
//! words are all there is.

mod choose;
mod fuse;
mod make;
mod nearest;
mod rows;

pub(super) use rows::{due, gone};

use super::Memories;
use super::stems::Stemmed;
use crate::clock::{Moment, new_id};
use crate::error::Result;
use crate::ledger::Spender;
use crate::models::MeaningCall;
use crate::providers::Asker;
use nearest::Sought;
use protocol::{AgentId, MemoryId, ProviderId, UserId};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// What this process knows of it.
#[derive(Default)]
pub(crate) struct InMemory {
    /// Something may be due.
    changed: Notify,
    /// Whose vectors are being made.
    under_way: Mutex<BTreeSet<UserId>>,
    /// What was looked for last: pages look again and again.
    sought: Mutex<VecDeque<Sought>>,
    /// Whose models do not answer, and until when nobody waits for them.
    away: Mutex<HashMap<UserId, Moment>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The model of a person.
#[derive(Clone, Debug)]
struct Chosen {
    /// Another one for each model that was ever chosen.
    choice: String,
    provider: ProviderId,
    model: String,
}

impl Chosen {
    fn call(&self, owner: &UserId) -> MeaningCall {
        MeaningCall {
            asker: Asker { person: owner.clone(), agent: None },
            spender: Spender::Person { call: new_id() },
            provider: self.provider.clone(),
            model: self.model.clone(),
        }
    }
}

impl<'a> Memories<'a> {
    fn known(self) -> &'a InMemory {
        &self.hub.0.memories
    }

    /// Something of somebody's memories is another one than before.
    pub(super) fn changed(self) {
        self.known().changed.notify_one();
    }

    /// Those that fit to a text by its words or by what it means, the best fitting first; of an agent those that it is
    /// told of.
    pub(super) async fn found(
        self,
        owner: &UserId,
        agent: Option<&AgentId>,
        text: &str,
        words: &BTreeSet<Stemmed>,
    ) -> Result<Vec<MemoryId>> {
        let (fitting, nearest) =
            tokio::join!(self.fitting(owner, agent, words), self.nearest(owner, agent, text));
        let fitting = fitting?.into_iter().map(|one| one.id).collect();
        Ok(fuse::fused([fitting, nearest?]))
    }
}
