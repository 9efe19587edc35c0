//! Who is placed on this node, and how far it is with taking them on.

use super::{Cluster, Node};
use crate::error::{Error, Result};
use crate::store::query;
use protocol::{DeviceId, TokenId, UserId};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit, watch};
use tokio::time::timeout;

/// Who is taken on at once.
const CONCURRENT: usize = 8;
/// How long a request waits for that.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct People {
    all: Mutex<HashMap<UserId, Taking>>,
    turns: Semaphore,
    /// Somebody was taken on, or could not be.
    changed: watch::Sender<()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taking {
    UnderWay,
    Done {
        /// Requests of theirs that are being answered.
        visits: usize,
    },
    /// They are being handed over to another node.
    Going,
    /// How far that came, or taking them on, is not known. If they are still placed here the next beat takes them on
    /// anew.
    Adrift,
}

/// A request of somebody's is being answered here, until this is dropped.
pub struct Visit<'a> {
    people: &'a People,
    person: UserId,
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if let Some(Taking::Done { visits }) = self.people.all().get_mut(&self.person) {
            *visits = visits.saturating_sub(1);
        }
    }
}

impl Default for People {
    fn default() -> Self {
        Self { all: Mutex::default(), turns: Semaphore::new(CONCURRENT), changed: watch::Sender::new(()) }
    }
}

impl People {
    fn all(&self) -> MutexGuard<'_, HashMap<UserId, Taking>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn clear(&self) {
        self.all().clear();
    }

    fn adrift(&self) -> Vec<UserId> {
        let all = self.all();
        all.iter()
            .filter(|(_, taking)| **taking == Taking::Adrift)
            .map(|(person, _)| person.clone())
            .collect()
    }

    fn forget_adrift(&self, person: &UserId) {
        let mut all = self.all();
        if all.get(person) == Some(&Taking::Adrift) {
            all.remove(person);
        }
    }
}

impl<'a> Cluster<'a> {
    /// Whether they are placed here and taken on.
    pub(crate) fn has(self, person: &UserId) -> bool {
        self.node().is_none_or(|node| matches!(node.people.all().get(person), Some(Taking::Done { .. })))
    }

    /// Whether they are with another node, or on their way there.
    pub fn has_let_go_of(self, person: &UserId) -> bool {
        self.node().is_some_and(|node| {
            !matches!(node.people.all().get(person), Some(Taking::UnderWay | Taking::Done { .. }))
        })
    }

    /// `None`: they are not here any more.
    pub fn visit(self, person: &UserId) -> Option<Visit<'a>> {
        let people = &self.node()?.people;
        match people.all().get_mut(person)? {
            Taking::Done { visits } => *visits += 1,
            Taking::UnderWay | Taking::Going | Taking::Adrift => return None,
        }
        Some(Visit { people, person: person.clone() })
    }

    /// `false`: a request of theirs is being answered, or they are not here.
    pub(crate) fn begin_to_go(self, person: &UserId) -> bool {
        let Some(node) = self.node() else { return false };
        let mut all = node.people.all();
        match all.get_mut(person) {
            Some(taking) if *taking == (Taking::Done { visits: 0 }) => {
                *taking = Taking::Going;
                true
            }
            Some(_) | None => false,
        }
    }

    /// They are on their way no more: they are with the other node, or `stay`.
    pub(crate) fn end_going(self, person: &UserId, stay: bool) {
        let Some(node) = self.node() else { return };
        let mut all = node.people.all();
        match stay {
            true => all.insert(person.clone(), Taking::Done { visits: 0 }),
            false => all.remove(person),
        };
        drop(all);
        node.people.changed.send_replace(());
    }

    /// Of these nobody knows whether they went, unless it was said.
    pub(crate) fn give_up_going(self, people: &[UserId]) {
        let Some(node) = self.node() else { return };
        let mut all = node.people.all();
        for person in people {
            if let Some(taking) = all.get_mut(person)
                && *taking == Taking::Going
            {
                *taking = Taking::Adrift;
            }
        }
        drop(all);
        node.people.changed.send_replace(());
    }

    /// `false`: somebody does so already, or has.
    pub(crate) fn begin_to_take_on(self, person: &UserId) -> bool {
        let Some(node) = self.node() else { return false };
        let mut all = node.people.all();
        let is_new = matches!(all.get(person), None | Some(Taking::Adrift));
        if is_new {
            all.insert(person.clone(), Taking::UnderWay);
        }
        is_new
    }

    /// A place among those who are taken on at once.
    pub(crate) async fn turn_to_take_on(&self) -> Option<SemaphorePermit<'_>> {
        self.node()?.people.turns.acquire().await.ok()
    }

    pub(crate) fn end_taking_on(self, person: &UserId, is_done: bool) {
        let Some(node) = self.node() else { return };
        let mut all = node.people.all();
        let taking = if is_done { Taking::Done { visits: 0 } } else { Taking::Adrift };
        all.insert(person.clone(), taking);
        drop(all);
        node.people.changed.send_replace(());
    }

    /// Ready when they are taken on.
    pub(crate) async fn taken_on(self, person: &UserId) -> Result<()> {
        let Some(node) = self.node() else { return Ok(()) };
        let mut changes = node.people.changed.subscribe();
        let taken_on = async {
            loop {
                match node.people.all().get(person).copied() {
                    Some(Taking::Done { .. }) => return true,
                    Some(Taking::UnderWay | Taking::Going) => {}
                    Some(Taking::Adrift) | None => return false,
                }
                if changes.changed().await.is_err() {
                    return false;
                }
            }
        };
        match timeout(PATIENCE, taken_on).await {
            Ok(true) => Ok(()),
            Ok(false) | Err(_) => Err(Error::Upstream("The hub is taking over your agents.".to_owned())),
        }
    }

    /// Who is adrift and still placed here. The others are forgotten.
    pub(super) async fn adrift(self, node: &Node) -> Result<Vec<UserId>> {
        let mut here = Vec::new();
        for person in node.people.adrift() {
            let is_here =
                query("SELECT 1 FROM placements WHERE user_id = $1 AND node_id = $2", (&person, &node.id.0))
                    .exists(self.hub.store().read())
                    .await?;
            match is_here {
                true => here.push(person),
                false => node.people.forget_adrift(&person),
            }
        }
        Ok(here)
    }

    /// What theirs left goes on, so that new things may begin.
    pub(crate) async fn note_taken_on(self, person: &UserId) -> Result<()> {
        let Some(id) = self.own_id() else { return Ok(()) };
        query("UPDATE placements SET taken_on = 1 WHERE user_id = $1 AND node_id = $2", (person, id))
            .execute(self.hub.store().read())
            .await?;
        Ok(())
    }

    /// All devices and tokens of the people of this node.
    pub(crate) async fn sessions(self) -> Result<(HashSet<DeviceId>, HashSet<TokenId>)> {
        let id = self.own_id();
        let devices: Vec<DeviceId> = query(
            "SELECT d.id FROM devices d JOIN placements p ON p.user_id = d.user_id WHERE p.node_id = $1",
            (id,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        let tokens: Vec<TokenId> = query(
            "SELECT t.id FROM tokens t JOIN placements p ON p.user_id = t.user_id WHERE p.node_id = $1",
            (id,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        Ok((devices.into_iter().collect(), tokens.into_iter().collect()))
    }

    /// People of this node who are shut out and have something under way.
    pub(crate) async fn disabled_people(self) -> Result<Vec<UserId>> {
        query(
            "SELECT DISTINCT u.id FROM users u JOIN placements p ON p.user_id = u.id
             JOIN agents a ON a.user_id = u.id JOIN runs r ON r.agent_id = a.id
             WHERE p.node_id = $1 AND u.disabled = 1 AND r.running = 1",
            (self.own_id(),),
        )
        .fetch_all(self.hub.store().read())
        .await
    }
}
