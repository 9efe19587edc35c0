//! How much a Claude is to think: newer ones decide themselves within an effort, older ones get a
//! number of tokens. Bedrock passes the same fields on.

use protocol::model::{Block, Effort, MessageList, ModelMessage, ModelRequest};
use serde::Serialize;
use serde_json::{Value, json};

/// Fewer tokens are refused.
const MIN_THINKING_TOKENS: u32 = 1024;

/// Models that know no thinking and refuse the field.
const WITHOUT: [&str; 6] =
    ["claude-2", "claude-3-haiku", "claude-3-opus", "claude-3-sonnet", "claude-3-5", "claude-instant"];

/// Models that get a number of tokens.
const BUDGETED: [&str; 7] = [
    "claude-3-7",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-opus-4-2025",
    "claude-sonnet-4-0",
    "claude-sonnet-4-2025",
    "-4-5",
];

#[derive(Debug, Default, PartialEq, Serialize)]
pub(in crate::providers) struct Thinking {
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Value>,
}

impl Thinking {
    /// The answer's form has its place beside the effort.
    pub(in crate::providers) fn with_format(mut self, format: Option<Value>) -> Self {
        if let Some(format) = format {
            self.output_config.get_or_insert_with(|| json!({}))["format"] = format;
        }
        self
    }

    /// `signed` begins the signatures that the wire takes back.
    pub(in crate::providers) fn of(request: &ModelRequest, signed: &str) -> Self {
        let model = request.model.as_str();
        let Some(effort) = request.effort else { return Self::default() };
        if WITHOUT.iter().any(|name| model.contains(name)) {
            return Self::default();
        }
        let (word, budget) = match effort {
            Effort::Off => {
                return Self { thinking: Some(json!({ "type": "disabled" })), output_config: None };
            }
            Effort::Low => ("low", 2048),
            Effort::Medium => ("medium", 8192),
            Effort::High => ("high", 24_576),
        };
        let is_claude = model.contains("claude-");
        if is_claude && !BUDGETED.iter().any(|name| model.contains(name)) && !is_plain_four(model) {
            return Self {
                thinking: Some(json!({ "type": "adaptive" })),
                output_config: Some(json!({ "effort": word })),
            };
        }
        // Half of the room at most, so that an answer fits too.
        let budget = budget.min(request.max_output_tokens / 2);
        if budget < MIN_THINKING_TOKENS || goes_on_unsigned(&request.messages, signed) {
            return Self::default();
        }
        Self { thinking: Some(json!({ "type": "enabled", "budget_tokens": budget })), output_config: None }
    }
}

pub(super) fn is_plain_four(model: &str) -> bool {
    model.ends_with("claude-opus-4") || model.ends_with("claude-sonnet-4")
}

/// Whether the model is in the midst of a turn that it began without thinking: it may not begin to
/// now.
fn goes_on_unsigned(messages: &MessageList, signed: &str) -> bool {
    let mut latest = messages.iter().rev();
    let (Some(ModelMessage::Tools { .. }), Some(ModelMessage::Assistant { blocks })) =
        (latest.next(), latest.next())
    else {
        return false;
    };
    let is_signed = |block: &Block| match block {
        Block::Reasoning { signature, .. } => {
            signature.as_deref().is_some_and(|text| text.starts_with(signed))
        }
        Block::Text { .. } | Block::ToolUse(_) => false,
    };
    !blocks.first().is_some_and(is_signed)
}

#[cfg(test)]
mod tests {
    use super::*;
    fn check(model: &str, effort: Effort, limit: u32, expected: Value) {
        let request = ModelRequest {
            model: model.to_owned(),
            system: String::new(),
            tools: Vec::new(),
            tool_choice: Default::default(),
            messages: MessageList::default(),
            max_output_tokens: limit,
            effort: Some(effort),
            sampling: Box::default(),
        };
        let thinking = serde_json::to_value(Thinking::of(&request, "anthropic:")).expect("JSON");
        assert_eq!(thinking, expected, "{model} {effort:?}");
    }

    #[test]
    fn each_generation_gets_the_field_that_it_knows() {
        let adaptive = json!({ "thinking": { "type": "adaptive" }, "output_config": { "effort": "low" } });
        check("claude-opus-4-6", Effort::Low, 4096, adaptive.clone());
        check("us.anthropic.claude-sonnet-5-5-v1:0", Effort::Low, 4096, adaptive);
        let budget = |tokens: u32| json!({ "thinking": { "type": "enabled", "budget_tokens": tokens } });
        check("claude-opus-4-20250514", Effort::Medium, 64_000, budget(8192));
        check("claude-haiku-4-5", Effort::High, 8192, budget(4096));
        check("claude-haiku-4-5", Effort::High, 1000, json!({}));
        check("claude-haiku-4-5", Effort::Off, 1000, json!({ "thinking": { "type": "disabled" } }));
        check("claude-3-5-haiku-latest", Effort::High, 64_000, json!({}));
        check("some-other-model", Effort::Low, 64_000, budget(2048));
    }
}
