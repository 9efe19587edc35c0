//! What servers listed lately, with a share for each person.

use super::Listing;
use crate::clock::Moment;
use protocol::{McpServerId, UserId};
use std::sync::{Arc, Mutex, PoisonError};

/// For so long nobody asks again what there is.
const FRESH_MS: i64 = 60_000;
/// Servers of a person, and of all together.
const OF_A_PERSON: usize = 5;
const OF_ALL: usize = 200;

#[derive(Debug, Default)]
pub(in crate::mcp_servers) struct Listings(Mutex<Vec<Listed>>);

#[derive(Debug)]
struct Listed {
    owner: UserId,
    server: McpServerId,
    at: Moment,
    listing: Arc<Listing>,
}

impl Listed {
    fn is_fresh(&self, now: Moment) -> bool {
        now.ms_since(self.at) < FRESH_MS
    }
}

impl Listings {
    pub(super) fn fresh(&self, server: &McpServerId, now: Moment) -> Option<Arc<Listing>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let listed = kept.iter().find(|listed| listed.server == *server && listed.is_fresh(now))?;
        Some(Arc::clone(&listed.listing))
    }

    /// The oldest of this person makes room, and the oldest of all when all have too many.
    pub(super) fn keep(&self, owner: &UserId, server: &McpServerId, now: Moment, listing: &Arc<Listing>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|listed| listed.server != *server && listed.is_fresh(now));
        let is_theirs = |listed: &Listed| listed.owner == *owner;
        if kept.iter().filter(|listed| is_theirs(listed)).count() >= OF_A_PERSON
            && let Some(oldest) = kept.iter().position(is_theirs)
        {
            kept.remove(oldest);
        }
        if kept.len() >= OF_ALL {
            kept.remove(0);
        }
        let (owner, server, listing) = (owner.clone(), server.clone(), Arc::clone(listing));
        kept.push(Listed { owner, server, at: now, listing });
    }

    pub(in crate::mcp_servers) fn forget(&self, server: &McpServerId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|listed| listed.server != *server);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_s_servers_take_no_room_from_another_s() {
        let listings = Listings::default();
        let listing = Arc::new(Listing { files: Vec::new(), more: false });
        let keep = |owner: &str, server: &str, at: i64| {
            listings.keep(&owner.into(), &server.into(), Moment(at), &listing);
        };
        let is_known = |server: &str, at: i64| listings.fresh(&server.into(), Moment(at)).is_some();
        keep("ada", "garden", 0);
        for number in 0..=OF_A_PERSON {
            keep("eve", &number.to_string(), 1);
        }
        assert!(is_known("garden", FRESH_MS - 1) && !is_known("garden", FRESH_MS));
        assert!(!is_known("0", 1) && is_known("1", 1), "the oldest of theirs made room");
        listings.forget(&"garden".into());
        assert!(!is_known("garden", 0));
        for number in 0..OF_ALL {
            keep(&format!("person {number}"), &format!("server {number}"), 1);
        }
        assert!(!is_known("1", 1) && is_known("server 0", 1), "the oldest of all made room");
    }
}
