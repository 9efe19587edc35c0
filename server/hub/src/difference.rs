//! What changed in a text, as a unified difference.

use crate::error::{Error, Result};
use crate::fair_cache::FairCache;
use protocol::UserId;
use sha2::{Digest, Sha256};
use similar::{Algorithm, TextDiff};
use std::time::{Duration, Instant};

/// Lines that a model is shown.
const LINES: usize = 100;
/// What takes longer is told coarsely.
const DEADLINE: Duration = Duration::from_millis(500);
/// Bytes of differences that are kept, and of those of one person.
const BYTES_KEPT: usize = 4 * 1024 * 1024;
const OF_A_PERSON: usize = 1024 * 1024;

/// What two texts are compared as.
type Key = [u8; 32];

/// Differences that were found lately, the one that was looked at last behind the others: who looks at a list of them
/// again waits for none.
#[derive(Debug)]
pub(crate) struct KeptDifferences(FairCache<Key, String>);

impl Default for KeptDifferences {
    fn default() -> Self {
        Self(FairCache::new(BYTES_KEPT, OF_A_PERSON))
    }
}

impl KeptDifferences {
    /// The same as [`unified`], found once between the same two texts for the same person.
    pub(crate) async fn between(&self, person: &UserId, before: String, after: String) -> Result<String> {
        let key = key_of(&before, &after);
        if let Some(found) = self.0.find(person, &key) {
            return Ok(found);
        }
        let found = unified(before, after).await?;
        self.0.keep(person, key, found.clone(), found.len());
        Ok(found)
    }
}

fn key_of(before: &str, after: &str) -> Key {
    let mut digest = Sha256::new();
    digest.update(before.len().to_le_bytes());
    digest.update(before);
    digest.update(after);
    digest.finalize().into()
}

/// The whole difference, with three lines around each change. Found off the threads that serve others.
pub(crate) async fn unified(before: String, after: String) -> Result<String> {
    tokio::task::spawn_blocking(move || compare(&before, &after)).await.map_err(Error::internal)
}

/// The beginning of it, and how many lines of it are left out.
pub(crate) async fn for_a_model(before: String, after: String) -> Result<String> {
    Ok(shortened(&unified(before, after).await?))
}

fn compare(before: &str, after: &str) -> String {
    let deadline = Instant::now() + DEADLINE;
    let diff =
        TextDiff::configure().algorithm(Algorithm::Patience).deadline(deadline).diff_lines(before, after);
    diff.unified_diff().context_radius(3).to_string()
}

fn shortened(whole: &str) -> String {
    let mut lines: Vec<&str> = whole.lines().collect();
    let more = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    let shown = lines.join("\n");
    match more {
        0 => shown,
        more => format!("{shown}\n[{more} more lines]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_difference_is_found_once_and_a_large_one_pushes_out_nothing() {
        let kept = KeptDifferences::default();
        let [ada, eve] = ["ada", "eve"].map(UserId::from);
        let between = async |person: &UserId, before: &str, after: &str| {
            kept.between(person, before.to_owned(), after.to_owned()).await.unwrap()
        };
        assert_eq!(between(&ada, "a\n", "b\n").await, compare("a\n", "b\n"));
        assert_eq!(kept.0.find(&ada, &key_of("a\n", "b\n")), Some(compare("a\n", "b\n")));
        // What is kept is not found anew.
        kept.0.keep(&ada, key_of("a\n", "c\n"), "kept".to_owned(), 4);
        assert_eq!(between(&ada, "a\n", "c\n").await, "kept");
        assert_eq!(between(&eve, "a\n", "c\n").await, compare("a\n", "c\n"));
        assert_ne!(key_of("ab", "c"), key_of("a", "bc"));

        let large = ("x".repeat(1023) + "\n").repeat(OF_A_PERSON / 1024);
        assert!(between(&ada, "", &large).await.len() > OF_A_PERSON);
        assert_eq!(kept.0.find(&ada, &key_of("", &large)), None);
        assert_eq!(between(&ada, "a\n", "c\n").await, "kept");
    }

    #[test]
    fn a_difference_has_what_changed_and_three_lines_around_it() {
        let before: String = (1..=20).fold(String::new(), |all, n| all + &format!("{n}\n"));
        let after = before.replace("10\n", "ten\n");
        assert_eq!(compare(&before, &after), "@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n");
        assert_eq!(compare("a", "a"), "");
        let long = compare("", &before.repeat(20));
        assert!(long.ends_with("+20\n"));
        assert!(shortened(&long).ends_with("[301 more lines]"));
    }
}
