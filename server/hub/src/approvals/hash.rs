//! What an answer is bound to.

use crate::error::Result;
use agent::tools::ResolvedCall;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::question::Question;
use protocol::{AgentId, RunId};
use sha2::{Digest, Sha256};

/// Stands for this call of this agent in this turn of this run. Each part comes with its length, so
/// that none can pass for a piece of another.
pub(crate) fn hash_of(agent: &AgentId, run: Option<&RunId>, turn: u32, call: &ResolvedCall) -> String {
    let turn = turn.to_string();
    let signature = call.signature();
    let run = run.map_or("", |run| run.0.as_str());
    let mut hasher = Sha256::new();
    for part in [agent.0.as_str(), run, &turn, &call.id().0, signature.tool(), signature.arguments()] {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part);
    }
    URL_SAFE_NO_PAD.encode(hasher.finalize())
}

/// Stands for what is asked while the call is under way.
pub(super) fn hash_during(call: &str, nth: u32, question: Option<&Question>) -> Result<String> {
    let mut hasher = Sha256::new();
    for part in [call, &nth.to_string(), &serde_json::to_string(&question)?] {
        hasher.update(part.len().to_be_bytes());
        hasher.update(part);
    }
    Ok(URL_SAFE_NO_PAD.encode(hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolCall;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn call(id: &str, name: &str, input: serde_json::Value) -> ResolvedCall {
        ResolvedCall::of(ToolCall { id: id.into(), name: name.to_owned(), input })
    }

    #[test]
    fn whatever_differs_has_another_hash() {
        let of = |agent: &str, run: Option<&str>, turn, call: &ResolvedCall| {
            hash_of(&agent.into(), run.map(RunId::from).as_ref(), turn, call)
        };
        let plain = call("c", "state", json!({ "action": "set", "key": "a", "value": 1 }));
        let other_input = call("c", "state", json!({ "action": "set", "key": "a", "value": 2 }));
        let hidden = call("c", "state", json!({ "action": "set", "key": "a\u{200b}", "value": 1 }));
        let other_id = call("d", "state", plain.input().clone());
        let other_tool = call("c", "storage", plain.input().clone());
        let all = [
            of("a", Some("r"), 0, &plain),
            of("b", Some("r"), 0, &plain),
            of("a", Some("s"), 0, &plain),
            of("a", None, 0, &plain),
            of("a", Some("r"), 1, &plain),
            of("a", Some("r"), 0, &other_input),
            of("a", Some("r"), 0, &hidden),
            of("a", Some("r"), 0, &other_id),
            of("a", Some("r"), 0, &other_tool),
            of("ar", Some(""), 0, &plain),
        ];
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        let reordered = call("c", "state", json!({ "value": 1, "key": "a", "action": "set" }));
        assert_eq!(of("a", Some("r"), 0, &reordered), all[0]);
    }
}
