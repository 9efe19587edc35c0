//! Pages that were read lately. Each person has a share of the room.

use super::page::Whole;
use crate::clock::Moment;
use protocol::{McpServerId, UserId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// For so long a page is not read again.
const FRESH_MS: i64 = 5 * 60 * 1000;
/// Bytes of pages that are kept, and of one person's.
const ROOM: usize = 128 * 1024 * 1024;
const SHARE: usize = 16 * 1024 * 1024;

/// Whose, of which server, and its address.
pub(super) type Key = (UserId, McpServerId, String);

#[derive(Debug, Default)]
pub(in super::super) struct Pages(Mutex<HashMap<Key, (Moment, Arc<Whole>)>>);

impl Pages {
    pub(super) fn find(&self, key: &Key, now: Moment) -> Option<Arc<Whole>> {
        let pages = self.lock();
        let (at, page) = pages.get(key)?;
        (now.ms_since(*at) < FRESH_MS).then(|| Arc::clone(page))
    }

    pub(super) fn keep(&self, key: Key, page: Arc<Whole>, now: Moment) {
        let mut pages = self.lock();
        pages.retain(|_, (at, _)| now.ms_since(*at) < FRESH_MS);
        pages.remove(&key);
        let owner = key.0.clone();
        make_room(&mut pages, SHARE.saturating_sub(page.size()), |(whose, ..)| *whose == owner);
        make_room(&mut pages, ROOM.saturating_sub(page.size()), |_| true);
        pages.insert(key, (now, page));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, (Moment, Arc<Whole>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the oldest of these until no more than `room` is taken by them.
fn make_room(
    pages: &mut HashMap<Key, (Moment, Arc<Whole>)>,
    room: usize,
    is_of_these: impl Fn(&Key) -> bool,
) {
    loop {
        let of_these = || pages.iter().filter(|(key, _)| is_of_these(key));
        let taken: usize = of_these().map(|(_, (_, page))| page.size()).sum();
        let oldest = of_these().min_by_key(|(_, (at, _))| at.0).map(|(key, _)| key.clone());
        match oldest {
            Some(oldest) if taken > room => pages.remove(&oldest),
            Some(_) | None => return,
        };
    }
}
