//! What is new in a feed, on its way to the agent, in the commit that notes what is there.

use super::FeedRow;
use super::ask::Validators;
use crate::engine::{FeedEntries, FeedEntry};
use crate::error::{Error, Result};
use crate::schedules::rows::ScheduleRow;
use crate::schedules::{Schedules, firings, webhooks};
use crate::store::{Json, query};
use protocol::schedule::FiringCause;
use std::collections::HashSet;

/// Entries that are told at once.
const TOLD: usize = 10;
/// Entries that are remembered, so that one that comes back is not new: more than are read of a feed.
const REMEMBERED: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// What is there is known now, and its agent hears of what is new; or the look is not this one's any more.
    Noted,
    NoRoom,
}

/// What came of a look.
pub(super) struct Noted<'a> {
    /// By the looks before. `None`: this is the first, and nothing is new.
    pub(super) seen: Option<&'a [String]>,
    pub(super) feed: &'a FeedEntries,
    pub(super) validators: &'a Validators,
    pub(super) next_at: i64,
}

impl Schedules<'_> {
    pub(super) async fn take_entries(
        self,
        row: &FeedRow,
        known: &ScheduleRow,
        noted: &Noted<'_>,
    ) -> Result<Taken> {
        let (hub, now) = (self.hub, self.hub.now());
        let Noted { seen, feed, validators, next_at } = *noted;
        let new = seen.map(|seen| new(&feed.entries, seen)).unwrap_or_default();
        if !new.is_empty() && hub.clockwork().rates.admit(&row.schedule, &row.owner, hub.moment()).is_err() {
            return Ok(Taken::NoRoom);
        }
        let mut tx = hub.store().write().await?;
        let moved = query(
            "UPDATE feeds SET next_at = $3, etag = $4, last_modified = $5, seen = $6, checked_at = $7,
                 problem = NULL, failures = 0, refusals = 0
             WHERE schedule_id = $1 AND next_at = $2
               AND EXISTS (SELECT 1 FROM schedules s WHERE s.id = $1 AND s.paused = 0)",
            (
                &row.schedule,
                row.next_at,
                next_at,
                &validators.etag,
                &validators.last_modified,
                Json(remembered(&feed.entries, seen.unwrap_or_default())),
                now,
            ),
        )
        .execute(&mut *tx)
        .await?;
        if moved == 0 {
            return Ok(Taken::Noted);
        }
        if !new.is_empty() {
            let text = told(&feed.title, &new);
            match webhooks::require_room(&mut tx, known, &row.owner, &text).await {
                Ok(()) => {}
                Err(Error::Limit(_)) => return Ok(Taken::NoRoom),
                Err(error) => return Err(error),
            }
            firings::queue_event(&mut tx, known, now, FiringCause::Feed, &text).await?;
        }
        tx.commit().await?;
        if !new.is_empty() {
            hub.clockwork().changed();
        }
        Ok(Taken::Noted)
    }
}

fn new<'a>(entries: &'a [FeedEntry], seen: &[String]) -> Vec<&'a FeedEntry> {
    let seen: HashSet<&str> = seen.iter().map(String::as_str).collect();
    entries.iter().filter(|entry| !seen.contains(entry.key.as_str())).collect()
}

/// What is there first, then what was there before.
pub(super) fn remembered(entries: &[FeedEntry], seen: &[String]) -> Vec<String> {
    let there: HashSet<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
    let before = seen.iter().filter(|key| !there.contains(key.as_str()));
    entries.iter().map(|entry| &entry.key).chain(before).take(REMEMBERED).cloned().collect()
}

/// As the agent reads it.
fn told(feed: &str, new: &[&FeedEntry]) -> String {
    let mut told = format!("Feed: {feed}\nNew entries: {}\n", new.len());
    for FeedEntry { title, link, date, text, .. } in new.iter().copied().take(TOLD) {
        told.push('\n');
        for (name, value) in [("Title", title), ("Link", link), ("Date", date)] {
            if !value.is_empty() {
                told.push_str(&format!("{name}: {value}\n"));
            }
        }
        if !text.is_empty() {
            told.push_str(&format!("{text}\n"));
        }
    }
    if new.len() > TOLD {
        told.push_str(&format!("\n({} more new ones are in the feed.)", new.len() - TOLD));
    }
    told.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str) -> FeedEntry {
        let (key, title) = (key.to_owned(), format!("On {key}"));
        FeedEntry { key, title, link: String::new(), date: String::new(), text: String::new() }
    }

    #[test]
    fn an_entry_is_new_once_however_often_it_goes_and_comes_back() {
        let mut seen = remembered(&[entry("a"), entry("b")], &[]);
        for (there, expected) in [("c b", "c"), ("c", ""), ("a c b", ""), ("d", "d")] {
            let entries: Vec<_> = there.split(' ').map(entry).collect();
            let found: Vec<_> = new(&entries, &seen).into_iter().map(|entry| entry.key.as_str()).collect();
            assert_eq!(found.join(" "), expected);
            seen = remembered(&entries, &seen);
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn what_is_there_is_remembered_however_much_was_there_before() {
        let before: Vec<_> = (0..2 * REMEMBERED).map(|at| format!("old {at}")).collect();
        let seen = remembered(&[entry("a")], &before);
        assert_eq!((seen.len(), &*seen[0]), (REMEMBERED, "a"));
    }

    #[test]
    fn ten_are_told_and_how_many_more_there_are() {
        let entries: Vec<_> = (0..12).map(|at| entry(&at.to_string())).collect();
        let text = told("Moss", &entries.iter().collect::<Vec<_>>());
        assert!(text.starts_with("Feed: Moss\nNew entries: 12\n\nTitle: On 0\n\nTitle: On 1\n"), "{text}");
        assert!(text.ends_with("Title: On 9\n\n(2 more new ones are in the feed.)"), "{text}");
    }
}
