//! The snapshot of keys and values in an archive. flo.monster keeps `flo.state` in the same storage as
//! everything else, as text under one key of its own; here the two are apart.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) const FILE: &str = "storage/snapshot.json";

/// The key that holds `flo.state`.
const STATE: &str = "__flo_state";

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Snapshot {
    keys: Vec<Pair>,
    #[serde(default)]
    captured_at: Value,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pair {
    key: String,
    #[serde(default)]
    value: Value,
}

/// What an agent keeps under keys.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Kept {
    pub(super) state: BTreeMap<String, Value>,
    pub(super) storage: BTreeMap<String, Value>,
    /// Rules that woke the agent when its state changed.
    pub(super) rules: usize,
}

impl Snapshot {
    pub(super) fn of(kept: &Kept, at: i64) -> Self {
        let state = json!({ "state": kept.state, "escalationRules": {} }).to_string();
        let pair = |(key, value): (&String, &Value)| Pair { key: key.clone(), value: value.clone() };
        let mut keys: Vec<Pair> = kept.storage.iter().map(pair).collect();
        keys.push(Pair { key: STATE.to_owned(), value: Value::String(state) });
        Self { keys, captured_at: json!(at) }
    }

    /// A snapshot without the state's own key was taken from an agent whose page may look for any of
    /// its keys: then each is in both places.
    pub(super) fn kept(self) -> Kept {
        let mut kept = Kept::default();
        let mut reactive = None;
        for Pair { key, value } in self.keys {
            if key == STATE {
                reactive = object(value);
            } else if !value.is_null() {
                kept.storage.insert(key, value);
            }
        }
        match reactive {
            Some(mut reactive) => {
                let mut part = |name: &str| reactive.remove(name).and_then(object).unwrap_or_default();
                kept.state = part("state").into_iter().filter(|(_, value)| !value.is_null()).collect();
                kept.rules = part("escalationRules").len();
            }
            None => kept.state = kept.storage.clone(),
        }
        kept
    }
}

/// An object, written as such or as text.
fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        Value::String(text) => serde_json::from_str(&text).ok(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_told_from_storage() {
        let state = json!({ "state": { "n": 1, "gone": null }, "escalationRules": { "n": {} } });
        for (keys, expect_state, expect_storage, rules) in [
            (json!([{ "key": "a", "value": 1 }]), json!({ "a": 1 }), json!({ "a": 1 }), 0),
            (
                json!([{ "key": "a", "value": 1 }, { "key": STATE, "value": state.to_string() }]),
                json!({ "n": 1 }),
                json!({ "a": 1 }),
                1,
            ),
            (json!([{ "key": STATE, "value": state }]), json!({ "n": 1 }), json!({}), 1),
            (json!([{ "key": STATE, "value": "broken" }, { "key": "a" }]), json!({}), json!({}), 0),
        ] {
            let snapshot: Snapshot = serde_json::from_value(json!({ "keys": keys })).unwrap();
            let kept = snapshot.kept();
            assert_eq!(
                (json!(kept.state), json!(kept.storage), kept.rules),
                (expect_state, expect_storage, rules)
            );
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let pairs = |value: Value| serde_json::from_value(value).unwrap();
        let kept = Kept {
            state: pairs(json!({ "n": [1, "x"] })),
            storage: pairs(json!({ "a": { "b": 1 } })),
            rules: 0,
        };
        let text = serde_json::to_string(&Snapshot::of(&kept, 7)).unwrap();
        assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap().kept(), kept);
    }
}
