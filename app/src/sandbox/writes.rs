//! What a page writes to its state, on the way to the hub, where each write is an entry for good.
//! The first goes at once; of those that follow closely only the newest of each key does.

use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// Between two writes of one key, in milliseconds.
pub const PAUSE: f64 = 100.0;
/// Writes in a second, whatever their keys.
const MOST: usize = 30;
const SECOND: f64 = 1_000.0;

/// The most keys that wait: the hub keeps no more for an agent, and what is beyond goes there to be refused.
const KEYS: usize = 500;

/// The writes of one page. Times are in milliseconds.
#[derive(Default)]
pub struct Writes {
    /// When each key went last.
    sent: BTreeMap<String, f64>,
    /// When the writes of the last second went.
    second: VecDeque<f64>,
    waiting: BTreeMap<String, Value>,
}

impl Writes {
    /// Takes in a write; what is given back goes to the hub now.
    pub fn put(&mut self, key: String, value: Value, now: f64) -> Option<(String, Value)> {
        self.forget(now);
        let is_one_too_many = self.waiting.len() >= KEYS && !self.waiting.contains_key(&key);
        if self.may_go(&key, now) || is_one_too_many {
            self.waiting.remove(&key);
            self.went(&key, now);
            return Some((key, value));
        }
        self.waiting.insert(key, value);
        None
    }

    /// What has waited long enough.
    pub fn due(&mut self, now: f64) -> Vec<(String, Value)> {
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().filter_map(|(key, value)| self.put(key, value, now)).collect()
    }

    /// All that waits: what the page says next may rest on it.
    pub fn all(&mut self, now: f64) -> Vec<(String, Value)> {
        self.forget(now);
        let waiting = std::mem::take(&mut self.waiting);
        for key in waiting.keys() {
            self.went(key, now);
        }
        waiting.into_iter().collect()
    }

    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    fn may_go(&self, key: &str, now: f64) -> bool {
        self.sent.get(key).is_none_or(|at| now - at >= PAUSE) && self.second.len() < MOST
    }

    fn went(&mut self, key: &str, now: f64) {
        self.sent.insert(key.to_owned(), now);
        self.second.push_back(now);
    }

    fn forget(&mut self, now: f64) {
        self.sent.retain(|_, at| now - *at < PAUSE);
        while self.second.front().is_some_and(|at| now - at >= SECOND) {
            self.second.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_that_is_written_all_the_time_goes_ten_times_a_second_and_ends_as_it_was_left() {
        let mut writes = Writes::default();
        let mut sent = Vec::new();
        for step in 0..100 {
            let now = f64::from(step) * 10.0;
            sent.extend(writes.due(now));
            sent.extend(writes.put("x".to_owned(), json!(step), now));
        }
        sent.extend(writes.due(2_000.0));
        assert_eq!(sent.len(), 11);
        assert_eq!(sent.last(), Some(&("x".to_owned(), json!(99))));
        assert!(!writes.has_waiting());
    }

    #[test]
    fn a_flood_of_keys_is_spread_and_none_is_lost() {
        let mut writes = Writes::default();
        let mut sent = Vec::new();
        for key in 0..200 {
            sent.extend(writes.put(format!("k{key}"), json!(key), 0.0));
        }
        assert_eq!(sent.len(), MOST);
        for second in 1..10 {
            let before = sent.len();
            sent.extend(writes.due(f64::from(second) * SECOND));
            assert!(sent.len() - before <= MOST);
        }
        sent.sort_by(|a, b| a.0.cmp(&b.0));
        sent.dedup();
        assert_eq!(sent.len(), 200);
    }

    #[test]
    fn many_keys_that_are_written_all_the_time_go_thirty_times_a_second_together() {
        let mut writes = Writes::default();
        let mut sent = 0;
        for step in 0..200 {
            let now = f64::from(step) * 10.0;
            sent += writes.due(now).len();
            for key in 0..MOST {
                sent += usize::from(writes.put(format!("k{key}"), json!(step), now).is_some());
            }
        }
        assert_eq!(sent, 2 * MOST);
    }

    #[test]
    fn no_more_keys_wait_than_the_hub_would_keep() {
        let mut writes = Writes::default();
        let sent: Vec<_> =
            (0..2_000).filter_map(|key| writes.put(format!("k{key}"), json!(key), 0.0)).collect();
        assert_eq!((sent.len(), writes.waiting.len()), (2_000 - KEYS, KEYS));
    }

    #[test]
    fn what_waits_goes_before_what_the_page_says_next() {
        let mut writes = Writes::default();
        writes.put("x".to_owned(), json!(1), 0.0);
        assert_eq!(writes.put("x".to_owned(), json!(2), 1.0), None);
        assert_eq!(writes.all(2.0), [("x".to_owned(), json!(2))]);
        assert_eq!(writes.put("x".to_owned(), json!(3), 50.0), None);
    }
}
