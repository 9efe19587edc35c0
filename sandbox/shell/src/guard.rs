//! How much nonsense and noise a frame may make before it is taken away. What a message costs is weighed
//! before anybody reads it: its length first, and then how many values are in it.

use language::key;

const BAD: u32 = 100;
const PER_SECOND: u32 = 1000;
/// Messages beside the port, which nobody reads.
const STRAY_PER_SECOND: u32 = 100;
/// Values in one message.
const VALUES: u32 = 100_000;
/// What one value costs to read, in UTF-16 units.
const VALUE_COST: f64 = 64.0;
/// What a frame may send at once, in its longest messages, and at least in units; and how much of that it
/// gets back in a second.
const BURST: f64 = 4.0;
const LEAST_BURST: f64 = 1024.0 * 1024.0;
const BACK_PER_SECOND: f64 = 0.2;
/// How often it may take the keyboard from somebody who writes, in so many milliseconds.
const STEALS: u32 = 2;
const STEALS_MS: f64 = 10_000.0;

#[derive(Debug)]
pub struct Guard {
    /// Longest message, in UTF-16 units.
    longest: u32,
    bad: u32,
    messages: Window,
    strays: Window,
    steals: Window,
    /// What it may still send, and when that was counted, in milliseconds.
    left: Option<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardAction {
    Pass,
    Drop,
    /// The frame has to go.
    Remove(&'static str),
}

/// When a span began, in milliseconds, and what came in it.
#[derive(Debug)]
struct Window {
    since: f64,
    count: u32,
}

impl Window {
    const NONE: Self = Self { since: f64::NEG_INFINITY, count: 0 };

    fn add(&mut self, span_ms: f64, now: f64) -> u32 {
        if now - self.since >= span_ms {
            *self = Self { since: now, count: 0 };
        }
        self.count += 1;
        self.count
    }
}

impl Guard {
    pub fn new(longest: u32) -> Self {
        Self {
            longest,
            bad: 0,
            messages: Window::NONE,
            strays: Window::NONE,
            steals: Window::NONE,
            left: None,
        }
    }

    /// Judges a message by its length, before anybody copies it.
    pub fn weigh(&mut self, length: u32, now: f64) -> GuardAction {
        if self.messages.add(1000.0, now) > PER_SECOND {
            return GuardAction::Remove(key!("It sent more than 1000 messages in a second."));
        }
        if length > self.longest {
            return self.count_bad();
        }
        self.spend(f64::from(length), now)
    }

    /// Judges a message by the values in it, before anybody makes them.
    pub fn weigh_values(&mut self, text: &str, now: f64) -> GuardAction {
        let values = values(text);
        if values > VALUES {
            return self.count_bad();
        }
        self.spend(f64::from(values) * VALUE_COST, now)
    }

    /// Counts a message that did not come over the port.
    pub fn count_stray(&mut self, now: f64) -> GuardAction {
        if self.strays.add(1000.0, now) > STRAY_PER_SECOND {
            return GuardAction::Remove(key!(
                "It sent more than 100 messages in a second that nobody reads."
            ));
        }
        GuardAction::Drop
    }

    /// Counts a time that it took the keyboard from somebody who writes.
    pub fn count_steal(&mut self, now: f64) -> GuardAction {
        if self.steals.add(STEALS_MS, now) > STEALS {
            return GuardAction::Remove(key!(
                "It took the keyboard again and again from what you were writing."
            ));
        }
        GuardAction::Drop
    }

    /// Counts a message that was none.
    pub fn count_bad(&mut self) -> GuardAction {
        self.bad += 1;
        if self.bad > BAD {
            return GuardAction::Remove(key!("It sent more than 100 messages that make no sense."));
        }
        GuardAction::Drop
    }

    fn spend(&mut self, cost: f64, now: f64) -> GuardAction {
        let burst = (f64::from(self.longest) * BURST).max(LEAST_BURST);
        let (left, at) = self.left.unwrap_or((burst, now));
        let left = (left + (now - at).max(0.0) / 1000.0 * BACK_PER_SECOND * burst).min(burst) - cost;
        self.left = Some((left, now));
        if left < 0.0 {
            return GuardAction::Remove(key!("It sent more than can be read beside it."));
        }
        GuardAction::Pass
    }
}

/// How many values a text would be as JSON: an upper bound, found without reading it as such.
fn values(text: &str) -> u32 {
    let mut count = 1;
    let mut is_text = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' if is_text => {
                bytes.next();
            }
            b',' | b'[' | b'{' if !is_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_floods_the_shell_goes() {
        let mut guard = Guard::new(10);
        for _ in 0..1000 {
            assert_eq!(guard.weigh(10, 5.0), GuardAction::Pass);
        }
        assert!(matches!(guard.weigh(10, 1004.0), GuardAction::Remove(_)));
    }

    #[test]
    fn a_busy_frame_stays_as_long_as_it_keeps_to_its_rate() {
        let mut guard = Guard::new(10);
        for second in 0..5 {
            for _ in 0..1000 {
                assert_eq!(guard.weigh(1, f64::from(second) * 1000.0 + 7.0), GuardAction::Pass);
            }
        }
    }

    #[test]
    fn nonsense_is_dropped_a_hundred_times() {
        let mut guard = Guard::new(10);
        for _ in 0..50 {
            assert_eq!(guard.weigh(11, 0.0), GuardAction::Drop);
            assert_eq!(guard.count_bad(), GuardAction::Drop);
        }
        assert!(matches!(guard.count_bad(), GuardAction::Remove(_)));
    }

    #[test]
    fn few_long_messages_weigh_as_much_as_many_short_ones() {
        let longest = 4 * 1024 * 1024;
        let mut guard = Guard::new(longest);
        for _ in 0..4 {
            assert_eq!(guard.weigh(longest, 0.0), GuardAction::Pass);
        }
        assert!(matches!(guard.weigh(longest / 1000, 0.0), GuardAction::Remove(_)));

        let mut guard = Guard::new(longest);
        for second in 0..60 {
            let verdict = guard.weigh(longest / 2, f64::from(second) * 1000.0);
            assert_eq!(verdict, GuardAction::Pass, "a page a second is fine");
        }
    }

    #[test]
    fn a_text_that_is_many_values_is_not_read() {
        let mut guard = Guard::new(4 * 1024 * 1024);
        assert_eq!(guard.weigh_values(&"[".repeat(200_000), 0.0), GuardAction::Drop);
        assert_eq!(guard.weigh_values(&format!("\"{}\"", "[".repeat(200_000)), 0.0), GuardAction::Pass);
        let dear = format!("[{}1]", "1,".repeat(90_000));
        let verdicts: Vec<GuardAction> = (0..4).map(|_| guard.weigh_values(&dear, 0.0)).collect();
        assert_eq!(verdicts[..2], [GuardAction::Pass, GuardAction::Pass]);
        assert!(matches!(verdicts[3], GuardAction::Remove(_)));
    }

    #[test]
    fn values_are_counted_as_they_are_written() {
        for (text, count) in [
            ("1", 1),
            ("[]", 2),
            ("[1,2]", 3),
            (r#"{"a":1,"b":[2]}"#, 4),
            (r#""a,b[{""#, 1),
            (r#"["a\",",",","\\",1]"#, 5),
        ] {
            assert_eq!(values(text), count, "{text}");
        }
    }

    #[test]
    fn who_takes_the_keyboard_a_third_time_goes() {
        let mut guard = Guard::new(10);
        assert_eq!(guard.count_steal(0.0), GuardAction::Drop);
        assert_eq!(guard.count_steal(9_000.0), GuardAction::Drop);
        assert_eq!(guard.count_steal(10_000.0), GuardAction::Drop, "the first is long ago");
        assert_eq!(guard.count_steal(11_000.0), GuardAction::Drop);
        assert!(matches!(guard.count_steal(12_000.0), GuardAction::Remove(_)));
    }
}
