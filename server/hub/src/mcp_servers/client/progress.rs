//! How far a call is, as its server tells in the stream of the answer: its newest word, a few times a second.

use crate::mcp_servers::asking::Asking;
use crate::mcp_servers::visible::visible;
use protocol::hub::CallProgress;
use serde_json::Value;
use std::future::pending;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Between two words that somebody is told.
const EVERY: Duration = Duration::from_millis(250);
/// Characters of what it says besides.
pub(super) const WORDS: usize = 160;

/// Whoever knows what was sent along.
pub(super) trait Hides: Sync {
    /// The text without it.
    fn without_secrets(&self, text: &str) -> String;
}

pub(super) struct Progress<'a> {
    /// `None`: nobody wants to know.
    asking: Option<&'a Asking<'a>>,
    /// How far it was last. What does not go on is not told.
    done: f64,
    due: Option<CallProgress>,
    next: Instant,
}

impl<'a> Progress<'a> {
    pub(super) fn new(asking: Option<&'a Asking<'a>>) -> Self {
        Self { asking, done: f64::NEG_INFINITY, due: None, next: Instant::now() }
    }

    pub(super) fn take(&mut self, client: &dyn Hides, params: &Value) {
        let Some(asking) = self.asking else { return };
        let Some(mut told) = told(params).filter(|told| told.done > self.done) else { return };
        asking.goes_on();
        self.done = told.done;
        told.words = client.without_secrets(&told.words);
        self.due = Some(told);
    }

    /// Tells the newest word when it is time. Without one it never comes back.
    pub(super) async fn tell(&mut self) {
        if self.due.is_none() {
            return pending().await;
        }
        sleep_until(self.next).await;
        self.end();
        self.next = Instant::now() + EVERY;
    }

    /// Tells the newest word at once: what comes next is the answer.
    pub(super) fn end(&mut self) {
        if let (Some(asking), Some(told)) = (self.asking, self.due.take()) {
            asking.tell(told);
        }
    }
}

/// `None`: it says no number.
fn told(params: &Value) -> Option<CallProgress> {
    let done = params.get("progress")?.as_f64().filter(|done| *done >= 0.0)?;
    let total = params.get("total").and_then(Value::as_f64).filter(|total| *total > 0.0);
    let words = params.get("message").and_then(Value::as_str).unwrap_or_default();
    Some(CallProgress { done, total, words: in_a_line(words, WORDS), asked: Vec::new() })
}

/// At most so many characters of it.
pub(super) fn in_a_line(words: &str, most: usize) -> String {
    let line = words.split_whitespace().flat_map(|word| [word, " "]).collect::<String>();
    visible(line.trim_end(), most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_what_a_server_says_numbers_and_one_line_are_told() {
        for (params, expected) in [
            (json!({ "progress": 1 }), Some((1.0, None, ""))),
            (
                json!({ "progress": 1.5, "total": 3, "message": "a\n\u{202e}b " }),
                Some((1.5, Some(3.0), "a b")),
            ),
            (json!({ "progress": 1, "total": 0, "message": 7 }), Some((1.0, None, ""))),
            (json!({ "progress": -1 }), None),
            (json!({ "progress": "1" }), None),
            (json!({}), None),
        ] {
            let told = told(&params);
            let told = told.as_ref().map(|told| (told.done, told.total, told.words.as_str()));
            assert_eq!(told, expected, "{params}");
        }
        let long = told(&json!({ "progress": 1, "message": "x".repeat(10_000) })).expect("a number");
        assert_eq!(long.words.chars().count(), WORDS + 1);
    }
}
