//! The snapshot of keys and values in an archive. flo.monster keeps `flo.state` in the same storage as
//! everything else, as text under one key of its own; here the two are apart.

use super::content::check_values;
use super::lenient;
use super::rules::Escalation;
use crate::error::Result;
use crate::state::{Rule, check_rule};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) const FILE: &str = "storage/snapshot.json";

/// The key that holds `flo.state`.
const STATE: &str = "__flo_state";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Snapshot {
    keys: Vec<Pair>,
    captured_at: Value,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Pair {
    key: String,
    value: Value,
}

/// The value of the state's own key.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Reactive {
    state: BTreeMap<String, Value>,
    escalation_rules: BTreeMap<String, Escalation>,
}

/// What an agent keeps under keys.
#[derive(Debug, Default, PartialEq)]
pub(super) struct AgentStorage {
    pub(super) state: BTreeMap<String, Value>,
    pub(super) storage: BTreeMap<String, Value>,
    /// What wakes the agent when its state changes.
    pub(super) rules: Vec<Rule>,
    /// What was kept and cannot be here, a sentence each.
    pub(super) lost: Vec<String>,
}

impl Snapshot {
    pub(super) fn of(kept: &AgentStorage, at: i64) -> Self {
        let rules = kept
            .rules
            .iter()
            .filter_map(|Rule { key, when, message }| Some((key.clone(), Escalation::of(when, message)?)));
        let reactive = Reactive { state: kept.state.clone(), escalation_rules: rules.collect() };
        let pair = |(key, value): (&String, &Value)| Pair { key: key.clone(), value: value.clone() };
        let mut keys: Vec<Pair> = kept.storage.iter().map(pair).collect();
        keys.push(Pair { key: STATE.to_owned(), value: Value::String(json!(reactive).to_string()) });
        Self { keys, captured_at: json!(at) }
    }

    /// A snapshot without the state's own key was taken from an agent whose page may look for any of
    /// its keys: then each is in both places.
    pub(super) fn kept(self) -> Result<AgentStorage> {
        let mut kept = AgentStorage::default();
        let mut reactive = None;
        for Pair { key, value } in self.keys {
            if key == STATE {
                reactive = object(value)?;
            } else if !value.is_null() && !key.is_empty() {
                kept.storage.insert(key, value);
            }
        }
        match reactive {
            Some(reactive) => kept.take_reactive(reactive)?,
            None => kept.state = kept.storage.clone(),
        }
        Ok(kept)
    }
}

impl AgentStorage {
    fn take_reactive(&mut self, mut reactive: Map<String, Value>) -> Result<()> {
        // flo.monster itself writes objects, others have written them as text once more.
        for part in reactive.values_mut() {
            if let Some(object) = object(part.take())? {
                *part = Value::Object(object);
            }
        }
        let (Reactive { state, escalation_rules }, left_out) = lenient::read(Value::Object(reactive));
        self.state = state.into_iter().filter(|(_, value)| !value.is_null()).collect();
        self.lost.extend(left_out.into_iter().map(|place| format!("{STATE}.{place} cannot be read.")));
        for (key, escalation) in escalation_rules {
            let message = escalation.message(&key);
            let rule = escalation.when().map(|when| Rule { key: key.clone(), when, message });
            match rule {
                Ok(rule) if check_rule(&rule).is_ok() => self.rules.push(rule),
                Ok(Rule { when: condition, .. }) | Err(condition) => self.lost.push(format!(
                    "It was woken by {key} when this held: {condition}. It has to set that rule again."
                )),
            }
        }
        Ok(())
    }
}

/// An object, written as such or as text.
fn object(value: Value) -> Result<Option<Map<String, Value>>> {
    match value {
        Value::Object(object) => Ok(Some(object)),
        Value::String(text) => {
            check_values(FILE, text.as_bytes())?;
            Ok(serde_json::from_str(&text).ok())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_told_from_storage() {
        let rules = json!({ "n": { "condition": "val > 1", "message": null } });
        let state = json!({ "state": { "n": 1, "gone": null }, "escalationRules": rules });
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
            let kept = snapshot.kept().unwrap();
            assert_eq!(
                (json!(kept.state), json!(kept.storage), kept.rules.len()),
                (expect_state, expect_storage, rules)
            );
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let pairs = |value: Value| serde_json::from_value(value).unwrap();
        let kept = AgentStorage {
            state: pairs(json!({ "n": [1, "x"] })),
            storage: pairs(json!({ "a": { "b": 1 } })),
            rules: vec![Rule {
                key: "n".to_owned(),
                when: ".a changed or > 3".to_owned(),
                message: "Look.".to_owned(),
            }],
            lost: Vec::new(),
        };
        let text = serde_json::to_string(&Snapshot::of(&kept, 7)).unwrap();
        assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap().kept().unwrap(), kept);
    }
}
