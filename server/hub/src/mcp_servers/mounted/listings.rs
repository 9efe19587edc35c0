//! What servers listed lately, with a share for each person.

use super::Listing;
use crate::clock::Moment;
use protocol::{McpServerId, UserId};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// For so long nobody asks again what there is.
const FRESH_MS: i64 = 60_000;
/// Bytes of what servers of a person listed, and those of all together.
const OF_A_PERSON: usize = 4 * 1024 * 1024;
const OF_ALL: usize = 64 * 1024 * 1024;

#[derive(Debug, Default)]
pub(in crate::mcp_servers) struct Listings(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The oldest first.
    listed: Vec<Listed>,
    asked: Vec<Weak<Asking>>,
}

/// A server that is asked what it has.
#[derive(Debug)]
pub(super) struct Asking {
    server: McpServerId,
    /// It has said meanwhile that it has others, so nobody knows which its answer is about.
    has_others: AtomicBool,
}

#[derive(Debug)]
struct Listed {
    owner: UserId,
    server: McpServerId,
    at: Moment,
    bytes: usize,
    listing: Arc<Listing>,
}

impl Listed {
    fn is_fresh(&self, now: Moment) -> bool {
        now.ms_since(self.at) < FRESH_MS
    }
}

impl Listings {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn fresh(&self, server: &McpServerId, now: Moment) -> Option<Arc<Listing>> {
        let kept = self.lock();
        let listed = kept.listed.iter().find(|listed| listed.server == *server && listed.is_fresh(now))?;
        Some(Arc::clone(&listed.listing))
    }

    /// Whoever asks the server holds this until they have its answer.
    pub(super) fn asking(&self, server: &McpServerId) -> Arc<Asking> {
        let asking = Arc::new(Asking { server: server.clone(), has_others: AtomicBool::new(false) });
        let mut kept = self.lock();
        kept.asked.retain(|asked| asked.strong_count() > 0);
        kept.asked.push(Arc::downgrade(&asking));
        asking
    }

    /// The oldest of this person make room, and the oldest of all when all take too much.
    pub(super) fn keep(&self, owner: &UserId, asking: &Asking, now: Moment, listing: &Arc<Listing>) {
        let mut kept = self.lock();
        let bytes = listing.bytes();
        if asking.has_others.load(Ordering::Relaxed) || bytes > OF_A_PERSON {
            return;
        }
        let listed = &mut kept.listed;
        listed.retain(|listed| listed.server != asking.server && listed.is_fresh(now));
        let is_theirs = |listed: &Listed| listed.owner == *owner;
        while sum(listed.iter().filter(|listed| is_theirs(listed))) + bytes > OF_A_PERSON
            && let Some(oldest) = listed.iter().position(is_theirs)
        {
            listed.remove(oldest);
        }
        while sum(listed.iter()) + bytes > OF_ALL {
            listed.remove(0);
        }
        let (owner, server, listing) = (owner.clone(), asking.server.clone(), Arc::clone(listing));
        listed.push(Listed { owner, server, at: now, bytes, listing });
    }

    pub(in crate::mcp_servers) fn forget(&self, server: &McpServerId) {
        let mut kept = self.lock();
        kept.listed.retain(|listed| listed.server != *server);
        for asked in kept.asked.iter().filter_map(Weak::upgrade).filter(|asked| asked.server == *server) {
            asked.has_others.store(true, Ordering::Relaxed);
        }
    }
}

fn sum<'l>(listed: impl Iterator<Item = &'l Listed>) -> usize {
    listed.map(|listed| listed.bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::FilePath;
    use crate::mcp_servers::mounted::MountedFile;

    /// A server with one resource, whose address is a quarter of what a person has.
    fn quarter() -> Arc<Listing> {
        let path = FilePath::check("bed").unwrap();
        let uri = "x".repeat(OF_A_PERSON / 4 - 1_000);
        Arc::new(Listing { files: vec![MountedFile { path, uri, size: None }], more: false })
    }

    #[test]
    fn one_person_s_servers_take_no_room_from_another_s() {
        let listings = Listings::default();
        let listing = quarter();
        let keep = |owner: &str, server: &str, at: i64| {
            listings.keep(&owner.into(), &listings.asking(&server.into()), Moment(at), &listing);
        };
        let is_known = |server: &str, at: i64| listings.fresh(&server.into(), Moment(at)).is_some();
        keep("ada", "garden", 0);
        for number in 0..5 {
            keep("eve", &number.to_string(), 1);
        }
        assert!(is_known("garden", FRESH_MS - 1) && !is_known("garden", FRESH_MS));
        assert!(!is_known("0", 1) && is_known("1", 1), "the oldest of theirs made room");
        listings.forget(&"garden".into());
        assert!(!is_known("garden", 0));
        let people = OF_ALL / (OF_A_PERSON / 4) - 3;
        for number in 0..people {
            keep(&format!("person {number}"), &format!("server {number}"), 1);
        }
        assert!(!is_known("1", 1) && is_known("server 0", 1), "the oldest of all made room");
        let bytes = sum(listings.lock().listed.iter());
        assert!(bytes <= OF_ALL, "{bytes}");
    }

    #[test]
    fn what_was_asked_for_before_a_server_had_others_is_not_kept() {
        let listings = Listings::default();
        let (owner, garden, shed) = ("ada".into(), McpServerId::from("garden"), McpServerId::from("shed"));
        let asking = [listings.asking(&garden), listings.asking(&shed)];
        listings.forget(&garden);
        for asking in &asking {
            listings.keep(&owner, asking, Moment(0), &quarter());
        }
        assert!(listings.fresh(&garden, Moment(0)).is_none() && listings.fresh(&shed, Moment(0)).is_some());
        drop(asking);
        listings.keep(&owner, &listings.asking(&garden), Moment(0), &quarter());
        assert!(listings.fresh(&garden, Moment(0)).is_some());
        assert_eq!(listings.lock().asked.len(), 1, "those that have their answer are let go of");
    }
}
