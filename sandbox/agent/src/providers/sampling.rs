//! Where each wire has what a program says of sampling.

use protocol::model::Sampling;
use serde_json::{Map, Value, json};

/// What the fields are called, and how warm the wire lets a model be.
pub(super) struct Names {
    pub(super) temperature: &'static str,
    pub(super) warmest: f64,
    pub(super) top_p: &'static str,
    /// `None`: the wire has none.
    pub(super) stop: Option<&'static str>,
}

pub(super) fn fields(sampling: &Sampling, names: &Names) -> Map<String, Value> {
    let Sampling { temperature, top_p, stop } = sampling;
    let mut fields = Map::new();
    if let Some(temperature) = temperature {
        fields.insert(names.temperature.to_owned(), json!(temperature.min(names.warmest)));
    }
    if let Some(top_p) = top_p {
        fields.insert(names.top_p.to_owned(), json!(top_p));
    }
    if let (Some(name), false) = (names.stop, stop.is_empty()) {
        fields.insert(name.to_owned(), json!(stop));
    }
    fields
}

/// The same within an object of the wire's.
pub(super) fn add(to: &mut Value, sampling: &Sampling, names: &Names) {
    if let Value::Object(to) = to {
        to.extend(fields(sampling, names));
    }
}
