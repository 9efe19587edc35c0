//! Which models each provider has, remembered for a minute: a name without its provider is looked for
//! in all of them.

use crate::clock::Moment;
use protocol::{ProviderId, UserId};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const FRESH_MS: i64 = 60_000;
/// Lists that are kept.
const MAX_LISTS: usize = 1000;

/// By person too: what is lent is not the same for everybody.
#[derive(Debug, Default)]
pub(super) struct Lists(Mutex<HashMap<(UserId, ProviderId), List>>);

#[derive(Debug)]
struct List {
    at: Moment,
    models: Vec<String>,
}

impl Lists {
    pub(super) fn get(&self, person: &UserId, provider: &ProviderId, now: Moment) -> Option<Vec<String>> {
        let lists = self.lock();
        let list = lists.get(&(person.clone(), provider.clone()))?;
        (now.ms_since(list.at) < FRESH_MS).then(|| list.models.clone())
    }

    pub(super) fn put(&self, person: &UserId, provider: &ProviderId, models: Vec<String>, now: Moment) {
        let mut lists = self.lock();
        if lists.len() >= MAX_LISTS {
            lists.retain(|_, list| now.ms_since(list.at) < FRESH_MS);
        }
        if lists.len() < MAX_LISTS {
            lists.insert((person.clone(), provider.clone()), List { at: now, models });
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(UserId, ProviderId), List>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
