//! What changed in a text, as a unified difference.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use similar::{Algorithm, TextDiff};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lines that a model is shown.
const LINES: usize = 100;
/// What takes longer is told coarsely.
const DEADLINE: Duration = Duration::from_millis(500);
/// Differences that are kept, and bytes of all of them.
const MOST_KEPT: usize = 1_000;
const BYTES_KEPT: usize = 4 * 1024 * 1024;

/// What two texts are compared as.
type Key = [u8; 32];

/// Differences that were found lately, the one that was looked at last behind the others: who looks at a list of them
/// again waits for none.
#[derive(Debug, Default)]
pub(crate) struct KeptDifferences(Mutex<VecDeque<(Key, String)>>);

impl KeptDifferences {
    /// The same as [`unified`], found once between the same two texts.
    pub(crate) async fn between(&self, before: String, after: String) -> Result<String> {
        let key = key_of(&before, &after);
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let found = unified(before, after).await?;
        self.keep(key, found.clone());
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Key, String)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: &Key) -> Option<String> {
        let mut kept = self.lock();
        let place = kept.iter().position(|(of, _)| of == key)?;
        let found = kept.remove(place)?;
        let difference = found.1.clone();
        kept.push_back(found);
        Some(difference)
    }

    fn keep(&self, key: Key, difference: String) {
        let mut kept = self.lock();
        kept.push_back((key, difference));
        let mut bytes: usize = kept.iter().map(|(_, difference)| difference.len()).sum();
        while (kept.len() > MOST_KEPT || bytes > BYTES_KEPT)
            && let Some((_, oldest)) = kept.pop_front()
        {
            bytes -= oldest.len();
        }
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
    async fn a_difference_is_found_once_and_those_nobody_looks_at_make_room() {
        let kept = KeptDifferences::default();
        let between = async |before: &str, after: &str| {
            kept.between(before.to_owned(), after.to_owned()).await.unwrap()
        };
        let found = between("a\n", "b\n").await;
        assert_eq!(found, compare("a\n", "b\n"));
        // What is kept is not found anew.
        kept.keep(key_of("a\n", "c\n"), "kept".to_owned());
        assert_eq!(between("a\n", "c\n").await, "kept");
        assert_ne!(key_of("ab", "c"), key_of("a", "bc"));

        let of = |number: u8| [number; 32];
        for number in 0..4 {
            kept.keep(of(number), "x".repeat(BYTES_KEPT / 4));
        }
        assert!(kept.find(&of(0)).is_some() && kept.find(&key_of("a\n", "c\n")).is_none());
        kept.keep(of(4), "x".repeat(BYTES_KEPT / 4));
        assert!(kept.find(&of(0)).is_some() && kept.find(&of(1)).is_none());
        for number in 0..=MOST_KEPT {
            kept.keep(key_of("", &number.to_string()), String::new());
        }
        assert_eq!(kept.lock().len(), MOST_KEPT);
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
