//! Fields that a person puts into requests beside ours: which of them are taken, and how they get into a body.
//! What the hub answers for is out of their reach, whatever a wire calls it.

use protocol::{told, words};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// Of all of them, as JSON.
pub const MOST_BYTES: usize = 4096;
/// How deep objects and lists lie in each other, the outermost counted.
pub const MOST_DEPTH: usize = 8;

/// Why a field is not taken.
#[derive(Clone, Copy)]
enum Ours {
    Model,
    Said,
    Tools,
    Stream,
    Length,
    Kept,
    Cost,
}

impl Ours {
    fn words(self) -> &'static str {
        match self {
            Self::Model => words!("which model answers has a field of its own"),
            Self::Said => words!("what the model is told is the conversation and the instructions"),
            Self::Tools => words!("its tools are chosen above, and each call goes by your rules"),
            Self::Stream => words!("the hub reads one streamed answer of text for each request"),
            Self::Length => words!("how long a request and its reply may be is set by the hub"),
            Self::Kept => words!("nothing is to stay with the provider or go on there by itself"),
            Self::Cost => words!("a call could cost more than was set aside for it"),
        }
    }
}

/// Letters and digits of the names, in lower case: servers read `maxTokens` and `max_tokens` alike. They are
/// refused where a server takes fields of a request from.
const FIELDS: &[(Ours, &[&str])] = &[
    (Ours::Model, &["model", "models", "modelid", "engine", "deployment", "fallbacks", "preset"]),
    (
        Ours::Said,
        &[
            "messages",
            "input",
            "contents",
            "content",
            "prompt",
            "promptvariables",
            "prediction",
            "system",
            "systeminstruction",
            "systemprompt",
            "instructions",
            "cachedcontent",
            "documents",
            "suffix",
        ],
    ),
    (
        Ours::Tools,
        &[
            "tools",
            "toolchoice",
            "toolconfig",
            "toolresources",
            "functions",
            "functioncall",
            "mcpservers",
            "container",
            "plugins",
            "websearchoptions",
            "searchparameters",
            "enablesearch",
            "searchoptions",
            "searchsettings",
        ],
    ),
    (Ours::Stream, &["stream", "streamoptions", "include"]),
    (Ours::Kept, &["store", "background", "conversation", "previousresponseid"]),
    (Ours::Cost, &["speed", "inferencegeo", "performanceconfig", "cachecontrol", "anthropicbeta", "betas"]),
];

/// The same, refused however deep they lie.
const ANYWHERE: &[(Ours, &[&str])] = &[
    (
        Ours::Length,
        &[
            "maxtokens",
            "maxoutputtokens",
            "maxcompletiontokens",
            "maxnewtokens",
            "maxtokenstosample",
            "maxgenlen",
            "maxlength",
            "numpredict",
            "npredict",
            "numctx",
        ],
    ),
    (
        Ours::Stream,
        &[
            "n",
            "bestof",
            "candidatecount",
            "numreturnsequences",
            "modalities",
            "responsemodalities",
            "audio",
            "speechconfig",
        ],
    ),
];

/// Objects whose fields a server takes for fields of the request.
const PASSED_ON: &[&str] = &["extrabody", "additionalmodelrequestfields", "modelkwargs", "provideroptions"];

/// Dearer and cheaper treatment has one field; these do not cost more than the usual one.
const TIER: &str = "servicetier";
const TIERS: &[&str] = &["default", "standard", "standard_only", "on_demand", "flex"];

/// Says of the first field that is not taken why not.
pub fn refusal(extra: &Map<String, Value>) -> Option<String> {
    of_request(extra).or_else(|| extra.values().find_map(anywhere)).or_else(|| too_much(extra))
}

fn of_request(fields: &Map<String, Value>) -> Option<String> {
    fields.iter().find_map(|(name, value)| {
        let plain = plain(name);
        let is_cheap = || value.as_str().is_some_and(|tier| TIERS.contains(&tier));
        if plain == TIER && !is_cheap() {
            return Some(said(name, Ours::Cost));
        }
        let found = listed(FIELDS, &plain).or_else(|| listed(ANYWHERE, &plain));
        found.map(|why| said(name, why)).or_else(|| match value {
            Value::Object(inner) if PASSED_ON.contains(&plain.as_str()) => passed_on(inner),
            _ => None,
        })
    })
}

fn passed_on(fields: &Map<String, Value>) -> Option<String> {
    of_request(fields).or_else(|| fields.values().filter_map(Value::as_object).find_map(passed_on))
}

fn anywhere(value: &Value) -> Option<String> {
    match value {
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| match listed(ANYWHERE, &plain(name)) {
                Some(why) => Some(said(name, why)),
                None => anywhere(value),
            })
        }
        Value::Array(values) => values.iter().find_map(anywhere),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn too_much(extra: &Map<String, Value>) -> Option<String> {
    let bytes = serde_json::to_vec(extra).map_or(usize::MAX, |bytes| bytes.len());
    if bytes > MOST_BYTES {
        return Some(told!("The extra fields have {bytes} bytes, and at most {MOST_BYTES} are taken."));
    }
    let depth = 1 + extra.values().map(depth).max().unwrap_or_default();
    (depth > MOST_DEPTH).then(|| {
        told!("The extra fields lie {depth} deep in each other, and at most {MOST_DEPTH} are taken.")
    })
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        Value::Array(values) => 1 + values.iter().map(depth).max().unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn listed(lists: &[(Ours, &[&str])], plain: &str) -> Option<Ours> {
    lists.iter().find(|(_, names)| names.contains(&plain)).map(|(why, _)| *why)
}

fn said(name: &str, why: Ours) -> String {
    let name: String = name.chars().filter(|letter| !letter.is_control()).take(60).collect();
    told!("The extra field \"{name}\" is not taken: {why}.", why = why.words())
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Puts them into a body that was written, before its last field: that is the one that grows from turn to turn.
/// Objects become one, anything else takes the place of what was there.
pub(super) fn add(body: &mut Vec<u8>, extra: &Map<String, Value>) {
    if extra.is_empty() {
        return;
    }
    let Ok(Fields(mut fields)) = serde_json::from_slice(body) else { return };
    for (name, value) in extra {
        match fields.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => merge(known, value),
            None => fields.insert(fields.len().saturating_sub(1), (name.clone(), value.clone())),
        }
    }
    *body = serde_json::to_vec(&Fields(fields)).expect("JSON values always serialise");
}

fn merge(known: &mut Value, value: &Value) {
    match (known, value) {
        (Value::Object(known), Value::Object(more)) => {
            for (name, value) in more {
                merge(known.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (known, value) => *known = value.clone(),
    }
}

/// An object whose fields keep their order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                if fields.is_empty() {
                    Err(A::Error::custom("nothing to add to"))
                } else {
                    Ok(Fields(fields))
                }
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn what_the_hub_answers_for_is_refused_whatever_a_wire_calls_it() {
        for (extra, name) in [
            (json!({ "model": "other" }), "model"),
            (json!({ "Models": ["other"] }), "Models"),
            (json!({ "messages": [] }), "messages"),
            (json!({ "system_instruction": {} }), "system_instruction"),
            (json!({ "systemInstruction": {} }), "systemInstruction"),
            (json!({ "tool_choice": "required" }), "tool_choice"),
            (json!({ "mcp_servers": [] }), "mcp_servers"),
            (json!({ "stream": false }), "stream"),
            (json!({ "stream_options": null }), "stream_options"),
            (json!({ "store": true }), "store"),
            (json!({ "background": true }), "background"),
            (json!({ "max_tokens": 9 }), "max_tokens"),
            (json!({ "generationConfig": { "maxOutputTokens": 9 } }), "maxOutputTokens"),
            (json!({ "generation_config": { "candidate_count": 8 } }), "candidate_count"),
            (json!({ "options": { "num_predict": -1 } }), "num_predict"),
            (json!({ "inferenceConfig": { "maxTokens": 9 } }), "maxTokens"),
            (json!({ "a": [{ "b": { "max_new_tokens": 9 } }] }), "max_new_tokens"),
            (json!({ "additionalModelRequestFields": { "tools": [] } }), "tools"),
            (json!({ "extra_body": { "google": { "cached_content": "c" } } }), "cached_content"),
            (json!({ "service_tier": "priority" }), "service_tier"),
            (json!({ "serviceTier": { "type": "priority" } }), "serviceTier"),
            (json!({ "n": 8 }), "n"),
        ] {
            let said = refusal(&fields(extra.clone())).unwrap_or_else(|| panic!("{extra} is taken"));
            assert!(said.starts_with(&format!("The extra field \"{name}\" is not taken: ")), "{said}");
        }
    }

    #[test]
    fn what_only_shapes_the_answer_is_taken() {
        for extra in [
            json!({}),
            json!({ "min_p": 0.1, "repetition_penalty": 1.1, "stop": ["END"], "user": "ada" }),
            json!({ "service_tier": "flex", "provider": { "order": ["one"], "data_collection": "deny" } }),
            json!({ "reasoning": { "effort": "high" }, "thinking": { "type": "adaptive" } }),
            json!({ "options": { "mirostat": 2 }, "keep_alive": "1h" }),
            json!({ "response_format": { "json_schema": { "schema": { "properties": { "model": {} } } } } }),
            json!({ "chat_template_kwargs": { "enable_thinking": false } }),
        ] {
            assert_eq!(refusal(&fields(extra)), None);
        }
    }

    #[test]
    fn too_much_and_too_deep_is_refused() {
        let long = fields(json!({ "user": "x".repeat(MOST_BYTES) }));
        assert!(refusal(&long).unwrap().starts_with("The extra fields have 4107 bytes"));
        let nested = |depth: usize| {
            let inner = (1..depth).fold(json!(1), |inner, _| json!({ "a": inner }));
            refusal(&fields(json!({ "a": inner })))
        };
        assert_eq!(nested(MOST_DEPTH), None);
        assert!(nested(MOST_DEPTH + 1).unwrap().starts_with("The extra fields lie 9 deep"));
    }

    #[test]
    fn a_body_keeps_its_order_and_what_grows_stays_last() {
        let mut body =
            br#"{"model":"m","options":{"a":1,"b":{"c":2}},"temperature":1.0,"messages":[]}"#.to_vec();
        let extra = json!({ "temperature": 0.5, "options": { "b": { "d": 3 }, "a": null }, "seed": 7 });
        add(&mut body, &fields(extra));
        let expected = r#"{"model":"m","options":{"a":null,"b":{"c":2,"d":3}},"temperature":0.5,"seed":7,"messages":[]}"#;
        assert_eq!(String::from_utf8(body).unwrap(), expected);
        let mut none = Vec::new();
        add(&mut none, &fields(json!({ "seed": 7 })));
        assert!(none.is_empty());
    }
}
