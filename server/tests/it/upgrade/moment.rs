//! When the earlier program was killed. What came to be after that has times and ids of its own each time
//! that somebody opens the database: comparing, one is as good as another.

use serde_json::Value;

/// How long after it the answers of both programs were made, at most.
const SOON_MS: i64 = 5 * 60 * 1000;

/// In Unix milliseconds.
#[derive(Clone, Copy)]
pub struct Moment(pub i64);

impl Moment {
    /// The same with one word for every time and every id that came to be since.
    pub fn blur(self, value: &Value) -> Value {
        match value {
            Value::Null | Value::Bool(_) => value.clone(),
            Value::Number(number) => match number.as_i64() {
                Some(at) if self.is_since(at) => "since".into(),
                _ => value.clone(),
            },
            Value::String(text) if self.is_new_id(text) => "new".into(),
            Value::String(text) => text.split("?until=").next().unwrap_or_default().into(),
            Value::Array(list) => {
                let mut items: Vec<Value> = list.iter().map(|item| self.blur(item)).collect();
                // Which of two was the last one is chance, if both were active since.
                items.sort_by_key(|item| (item["last_at"] == "since").then(|| item["id"].to_string()));
                items.into()
            }
            Value::Object(object) => {
                object.iter().map(|(name, item)| (name.clone(), self.blur(item))).collect()
            }
        }
    }

    fn is_since(self, at: i64) -> bool {
        (self.0..self.0 + SOON_MS).contains(&at)
    }

    /// An id begins with its time, in 48 bits.
    fn is_new_id(self, text: &str) -> bool {
        let time = text.get(..12).filter(|_| text.len() == 32);
        time.and_then(|time| i64::from_str_radix(time, 16).ok()).is_some_and(|at| self.is_since(at))
    }
}
