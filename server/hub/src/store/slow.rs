//! How long statements take, waiting for a connection included. What is remembered of one is what it does to which
//! table, and nothing of its values.

use crate::slowness::{Lately, Slowness};
use sqlx::SqlStr;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Instant;

/// A statement that takes longer is slow.
const SLOW_MS: u64 = 1_000;

static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
/// Of this process.
static SLOW: Mutex<Slowness<String>> = Mutex::new(Slowness::than(SLOW_MS));

/// Since the process first asked, in milliseconds.
fn now() -> i64 {
    i64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(i64::MAX)
}

/// Remembers a statement that took long by the time that nobody holds this any more.
pub(super) struct Watch {
    text: SqlStr,
    began: Instant,
}

impl Watch {
    pub(super) fn over(text: &SqlStr) -> Self {
        Self { text: text.clone(), began: Instant::now() }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let took_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if took_ms > SLOW_MS {
            let name = named(self.text.as_str());
            SLOW.lock().unwrap_or_else(PoisonError::into_inner).note(now(), took_ms, name);
        }
    }
}

pub(super) fn lately() -> Lately<String> {
    SLOW.lock().unwrap_or_else(PoisonError::into_inner).lately(now())
}

/// What it does, and the first table that it names.
fn named(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let does = words.first().copied().unwrap_or_default();
    let table = words.windows(2).find_map(|pair| table_behind(pair[0], pair[1])).unwrap_or_default();
    format!("{does} {table}").trim_end().to_owned()
}

fn table_behind(word: &str, next: &str) -> Option<String> {
    let is_table = matches!(word, "FROM" | "INTO" | "UPDATE")
        && next.starts_with(|letter: char| letter.is_ascii_lowercase());
    let is_of_name = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
    is_table.then(|| next.chars().take_while(is_of_name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_named_by_what_it_does_and_its_first_table() {
        for (text, name) in [
            ("SELECT id, name FROM agents WHERE user_id = $1", "SELECT agents"),
            (
                "SELECT q.id FROM (SELECT d.id FROM notification_deliveries d) q",
                "SELECT notification_deliveries",
            ),
            ("INSERT INTO users (id) VALUES ($1)", "INSERT users"),
            ("UPDATE runs SET running = 0", "UPDATE runs"),
            ("DELETE FROM tokens;", "DELETE tokens"),
            ("COMMIT", "COMMIT"),
            ("", ""),
        ] {
            assert_eq!(named(text), name, "{text}");
        }
    }
}
