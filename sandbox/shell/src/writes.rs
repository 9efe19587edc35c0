//! What a page writes to its state, on the way to the hub, where each write is an entry for good.
//! The first goes at once; of those that follow closely only the newest of each key does. What the page
//! says behind a write that waits is held until that has gone, for it may rest on it.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Between two writes of one key, in milliseconds.
pub const PAUSE_MS: f64 = 100.0;
/// Writes in a second, whatever their keys.
const MAX_WRITES_PER_SECOND: usize = 30;
const SECOND: f64 = 1_000.0;

/// The most keys that wait: the hub keeps no more for an agent, and what is beyond goes there to be refused.
const KEYS: usize = 500;
/// The most that is held.
const HELD: usize = 64;

pub type Write = (String, Value);

/// The writes of one page, and what it says behind them. Times are in milliseconds.
pub struct Writes<M> {
    /// When each key went last.
    sent: BTreeMap<String, f64>,
    /// When the writes of the last second went.
    second: VecDeque<f64>,
    /// The one that has waited longest comes first.
    waiting: VecDeque<Write>,
    /// Each with the keys that it is behind.
    held: VecDeque<(BTreeSet<String>, M)>,
}

impl<M> Default for Writes<M> {
    fn default() -> Self {
        Self {
            sent: BTreeMap::new(),
            second: VecDeque::new(),
            waiting: VecDeque::new(),
            held: VecDeque::new(),
        }
    }
}

/// What goes now.
#[derive(Debug, PartialEq)]
pub struct Flush<M> {
    pub writes: Vec<Write>,
    /// In the order in which it was said, behind the writes.
    pub said: Vec<M>,
    /// More was said than can be held, and this is not.
    pub refused: Option<M>,
}

impl<M> Writes<M> {
    /// Takes in a write; what is given back goes to the hub now.
    pub fn put(&mut self, key: String, value: Value, now: f64) -> Option<Write> {
        self.forget(now);
        if let Some(waiting) = self.waiting.iter_mut().find(|(waiting, _)| *waiting == key) {
            waiting.1 = value;
            return None;
        }
        if self.may_go(&key, now) || self.waiting.len() >= KEYS {
            self.went(&key, now);
            return Some((key, value));
        }
        self.waiting.push_back((key, value));
        None
    }

    /// What has waited long enough, and what was held behind it.
    pub fn due(&mut self, now: f64) -> Flush<M> {
        self.forget(now);
        let writes = self.send(now, |writes, key| writes.may_go(key, now));
        self.going(writes, None)
    }

    /// The page says something that may rest on what it wrote. Of that goes now what may at all. Of
    /// what is held and is `alike`, only the newest stays.
    pub fn say(&mut self, message: M, alike: impl Fn(&M, &M) -> bool, now: f64) -> Flush<M> {
        self.forget(now);
        let writes = self.send(now, |writes, _| writes.second.len() < MAX_WRITES_PER_SECOND);
        self.held.retain(|(keys, held)| keys.is_empty() || !alike(held, &message));
        if self.held.len() >= HELD {
            return self.going(writes, Some(message));
        }
        let keys = self.waiting.iter().map(|(key, _)| key.clone()).collect();
        self.held.push_back((keys, message));
        self.going(writes, None)
    }

    /// All that waits, however much it is: what a tool has written goes before its result, and what a
    /// page has written before it is gone.
    pub fn all(&mut self, now: f64) -> Flush<M> {
        self.forget(now);
        let writes = self.send(now, |_, _| true);
        self.going(writes, None)
    }

    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty() || !self.held.is_empty()
    }

    fn send(&mut self, now: f64, goes: impl Fn(&Self, &str) -> bool) -> Vec<Write> {
        let mut sent = Vec::new();
        for (key, value) in std::mem::take(&mut self.waiting) {
            if goes(self, &key) {
                self.went(&key, now);
                sent.push((key, value));
            } else {
                self.waiting.push_back((key, value));
            }
        }
        sent
    }

    fn going(&mut self, writes: Vec<Write>, refused: Option<M>) -> Flush<M> {
        let mut said = Vec::new();
        while self.held.front().is_some_and(|(keys, _)| keys.is_empty()) {
            said.extend(self.held.pop_front().map(|(_, message)| message));
        }
        Flush { writes, said, refused }
    }

    fn may_go(&self, key: &str, now: f64) -> bool {
        self.sent.get(key).is_none_or(|at| now - at >= PAUSE_MS) && self.second.len() < MAX_WRITES_PER_SECOND
    }

    fn went(&mut self, key: &str, now: f64) {
        self.sent.insert(key.to_owned(), now);
        self.second.push_back(now);
        for (keys, _) in &mut self.held {
            keys.remove(key);
        }
    }

    fn forget(&mut self, now: f64) {
        self.sent.retain(|_, at| now - *at < PAUSE_MS);
        while self.second.front().is_some_and(|at| now - at >= SECOND) {
            self.second.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn writes() -> Writes<&'static str> {
        Writes::default()
    }

    #[test]
    fn a_key_that_is_written_all_the_time_goes_ten_times_a_second_and_ends_as_it_was_left() {
        let mut writes = writes();
        let mut sent = Vec::new();
        for step in 0..100 {
            let now = f64::from(step) * 10.0;
            sent.extend(writes.due(now).writes);
            sent.extend(writes.put("x".to_owned(), json!(step), now));
        }
        sent.extend(writes.due(2_000.0).writes);
        assert_eq!(sent.len(), 11);
        assert_eq!(sent.last(), Some(&("x".to_owned(), json!(99))));
        assert!(!writes.has_waiting());
    }

    #[test]
    fn a_flood_of_keys_is_spread_and_none_is_lost() {
        let mut writes = writes();
        let mut sent = Vec::new();
        for key in 0..200 {
            sent.extend(writes.put(format!("k{key}"), json!(key), 0.0));
        }
        assert_eq!(sent.len(), MAX_WRITES_PER_SECOND);
        for second in 1..10 {
            let before = sent.len();
            sent.extend(writes.due(f64::from(second) * SECOND).writes);
            assert!(sent.len() - before <= MAX_WRITES_PER_SECOND);
        }
        sent.sort_by(|a, b| a.0.cmp(&b.0));
        sent.dedup();
        assert_eq!(sent.len(), 200);
    }

    #[test]
    fn many_keys_that_are_written_all_the_time_go_thirty_times_a_second_together() {
        let mut writes = writes();
        let mut sent = 0;
        for step in 0..200 {
            let now = f64::from(step) * 10.0;
            sent += writes.due(now).writes.len();
            for key in 0..MAX_WRITES_PER_SECOND {
                sent += usize::from(writes.put(format!("k{key}"), json!(step), now).is_some());
            }
        }
        assert_eq!(sent, 2 * MAX_WRITES_PER_SECOND);
    }

    #[test]
    fn no_more_keys_wait_than_the_hub_would_keep() {
        let mut writes = writes();
        let sent: Vec<_> =
            (0..2_000).filter_map(|key| writes.put(format!("k{key}"), json!(key), 0.0)).collect();
        assert_eq!((sent.len(), writes.waiting.len()), (2_000 - KEYS, KEYS));
    }

    fn other(_: &&str, _: &&str) -> bool {
        false
    }

    #[test]
    fn what_waits_goes_before_what_the_page_says_next() {
        let mut writes = writes();
        writes.put("x".to_owned(), json!(1), 0.0);
        assert_eq!(writes.put("x".to_owned(), json!(2), 1.0), None);
        let going = writes.say("moved", other, 2.0);
        assert_eq!(going.writes, [("x".to_owned(), json!(2))]);
        assert_eq!((going.said, going.refused), (vec!["moved"], None));
        assert_eq!(writes.put("x".to_owned(), json!(3), 50.0), None);
    }

    #[test]
    fn a_page_that_speaks_after_each_write_does_not_get_past_the_limit() {
        let mut writes = writes();
        let (mut sent, mut said) = (0, 0);
        for step in 0..200 {
            let now = f64::from(step) * 10.0;
            let due = writes.due(now);
            sent += due.writes.len() + usize::from(writes.put("x".to_owned(), json!(step), now).is_some());
            let going = writes.say("moved", |held, new| held == new, now);
            sent += going.writes.len();
            said += due.said.len() + going.said.len();
            assert_eq!(going.refused, None);
        }
        // What was held over the first second goes as well, and is no write.
        assert_eq!((sent, said), (2 * MAX_WRITES_PER_SECOND, 2 * MAX_WRITES_PER_SECOND + 1));
        let last = writes.due(3_000.0);
        assert_eq!(last.writes, [("x".to_owned(), json!(199))]);
        assert_eq!(last.said, ["moved"]);
        assert!(!writes.has_waiting());
    }

    #[test]
    fn what_is_held_goes_in_order_and_nobody_can_keep_it_from_going() {
        let mut writes = writes();
        for key in 0..MAX_WRITES_PER_SECOND {
            writes.put(format!("k{key}"), json!(0), 0.0);
        }
        writes.put("z".to_owned(), json!(1), 1.0);
        assert!(writes.say("first", other, 1.0).said.is_empty());
        for key in 0..KEYS {
            writes.put(format!("a{key}"), json!(0), 2.0);
        }
        assert!(writes.say("second", other, 3.0).said.is_empty());
        let going = writes.due(SECOND);
        assert_eq!(going.writes.first(), Some(&("z".to_owned(), json!(1))));
        assert_eq!(going.said, ["first"]);
        for _ in 0..HELD {
            writes.say("more", other, SECOND);
        }
        assert_eq!(writes.say("too much", other, SECOND).refused, Some("too much"));
        assert_eq!(writes.all(SECOND).said.len(), HELD);
    }
}
