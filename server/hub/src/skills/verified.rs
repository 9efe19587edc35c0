//! Files of skills that were found as they were accepted, by the digest of the version: one that every command has in its
//! room is read and hashed once for its person.

use crate::fair_cache::FairCache;
use protocol::UserId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes that are kept, and those of one person: four of the largest skills.
const MOST_BYTES: usize = 16 * 1024 * 1024;
const OF_A_PERSON: usize = MOST_BYTES / 2;

/// By path, as commands find them.
pub(super) type Files = Arc<BTreeMap<String, Vec<u8>>>;

#[derive(Debug)]
pub(super) struct Verified(FairCache<String, Files>);

impl Default for Verified {
    fn default() -> Self {
        Self(FairCache::new(MOST_BYTES, OF_A_PERSON))
    }
}

impl Verified {
    pub(super) fn find(&self, person: &UserId, digest: &str) -> Option<Files> {
        let digest = digest.to_owned();
        self.0.find(person, &digest)
    }

    pub(super) fn keep(&self, person: &UserId, digest: &str, files: &Files) {
        let bytes = files.iter().map(|(path, bytes)| path.len() + bytes.len()).sum();
        self.0.keep(person, digest.to_owned(), Arc::clone(files), bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::parcel::TOTAL;
    use super::*;

    #[test]
    fn a_person_with_many_large_skills_pushes_out_those_of_nobody_else() {
        let verified = Verified::default();
        let [ada, eve] = ["ada", "eve"].map(UserId::from);
        let of = |bytes: usize| Files::new(BTreeMap::from([("a".to_owned(), vec![0; bytes])]));
        verified.keep(&ada, "moss", &of(TOTAL));
        for number in 0..20 {
            verified.keep(&eve, &number.to_string(), &of(TOTAL / 2));
        }
        assert_eq!(verified.find(&ada, "moss").map(|files| files["a"].len()), Some(TOTAL));
        let kept = (0..20).filter(|number| verified.find(&eve, &number.to_string()).is_some());
        assert_eq!(kept.collect::<Vec<_>>(), (13..20).collect::<Vec<_>>());
        assert!(verified.find(&eve, "moss").is_none(), "it is accepted by each for themselves");
    }
}
