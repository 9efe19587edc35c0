//! Files of skills that were found as they were accepted, by the digest of the version: one that every command has in its
//! room is read and hashed once.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that are kept. Of versions that do not fit the one goes that was used longest ago.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// By path, as commands find them.
pub(super) type Files = Arc<BTreeMap<String, Vec<u8>>>;

#[derive(Debug, Default)]
pub(super) struct Verified(Mutex<VecDeque<(String, Files)>>);

impl Verified {
    pub(super) fn find(&self, digest: &str) -> Option<Files> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = all.iter().position(|(of, _)| of == digest)?;
        let (of, files) = all.remove(at)?;
        all.push_back((of, Arc::clone(&files)));
        Some(files)
    }

    pub(super) fn keep(&self, digest: &str, files: &Files) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(of, _)| of != digest);
        all.push_back((digest.to_owned(), Arc::clone(files)));
        let mut bytes: usize = all.iter().map(|(_, files)| size(files)).sum();
        while bytes > MOST_BYTES
            && let Some((_, oldest)) = all.pop_front()
        {
            bytes -= size(&oldest);
        }
    }
}

fn size(files: &Files) -> usize {
    files.values().map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_that_were_used_last_are_kept_and_no_more_than_fit() {
        let verified = Verified::default();
        let of = |bytes: usize| Files::new(BTreeMap::from([("a".to_owned(), vec![0; bytes])]));
        let is_there = |digest| verified.find(digest).is_some();
        verified.keep("first", &of(MOST_BYTES / 2));
        verified.keep("second", &of(MOST_BYTES / 2));
        assert!(is_there("second") && is_there("first"));
        verified.keep("third", &of(1));
        assert!(is_there("first") && !is_there("second") && is_there("third"));
        verified.keep("third", &of(2));
        assert_eq!(verified.find("third").unwrap()["a"].len(), 2);
        verified.keep("huge", &of(MOST_BYTES + 1));
        assert!(!is_there("huge") && !is_there("first"), "what does not fit at all is not kept");
    }
}
