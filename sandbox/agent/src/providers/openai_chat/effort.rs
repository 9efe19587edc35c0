//! How much a model is to think, in the words of each server. Models that do not think refuse the
//! field, so it goes only to those that are known to.

use protocol::model::{Effort, ModelRequest};
use serde_json::{Map, Value, json};

/// The field that a server has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EffortField {
    None,
    /// `reasoning_effort` with OpenAI's words.
    OpenAi,
    /// `reasoning_effort`, whose words depend on the model.
    Groq,
    /// `reasoning: { effort | enabled }`.
    OpenRouter,
    /// `thinking: { type: enabled | disabled }`.
    Thinking,
    /// `reasoning_effort` with two words, for the one family that has it.
    XAi,
    /// `chat_template_kwargs: { enable_thinking }`.
    Template,
}

pub(super) fn fields(field: EffortField, request: &ModelRequest) -> Map<String, Value> {
    let mut fields = Map::new();
    let Some(effort) = request.effort else { return fields };
    let model = request.model.as_str();
    let named = match field {
        EffortField::None => None,
        EffortField::OpenAi => openai(model, effort).map(|word| ("reasoning_effort", json!(word))),
        EffortField::Groq => groq(model, effort).map(|word| ("reasoning_effort", json!(word))),
        EffortField::OpenRouter => Some((
            "reasoning",
            match effort {
                Effort::Off => json!({ "enabled": false }),
                Effort::Low | Effort::Medium | Effort::High => json!({ "effort": word(effort) }),
            },
        )),
        EffortField::Thinking => {
            let state = if effort == Effort::Off { "disabled" } else { "enabled" };
            Some(("thinking", json!({ "type": state })))
        }
        EffortField::XAi => xai(model, effort).map(|word| ("reasoning_effort", json!(word))),
        EffortField::Template => {
            Some(("chat_template_kwargs", json!({ "enable_thinking": effort != Effort::Off })))
        }
    };
    fields.extend(named.map(|(name, value)| (name.to_owned(), value)));
    fields
}

/// `None`: the model has no such thing, or cannot be told.
pub(in crate::providers) fn openai(model: &str, effort: Effort) -> Option<&'static str> {
    let model = model.rsplit('/').next().unwrap_or(model);
    let begins = |names: &[&str]| names.iter().any(|name| model.starts_with(name));
    if model.contains("-chat") || !begins(&["gpt-5", "gpt-6", "gpt-oss", "o1", "o3", "o4", "codex"]) {
        return None;
    }
    match effort {
        Effort::Off if begins(&["gpt-5.", "gpt-6"]) => Some("none"),
        Effort::Off if begins(&["gpt-5"]) => Some("minimal"),
        Effort::Off => Some("low"),
        Effort::Low | Effort::Medium | Effort::High => Some(word(effort)),
    }
}

fn groq(model: &str, effort: Effort) -> Option<&'static str> {
    if model.contains("qwen3") {
        return Some(if effort == Effort::Off { "none" } else { "default" });
    }
    openai(model, effort)
}

fn xai(model: &str, effort: Effort) -> Option<&'static str> {
    if !model.starts_with("grok-3-mini") {
        return None;
    }
    Some(match effort {
        Effort::Off | Effort::Low => "low",
        Effort::Medium | Effort::High => "high",
    })
}

fn word(effort: Effort) -> &'static str {
    match effort {
        Effort::Off => "none",
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Effort::{High, Low, Off};
    use EffortField::*;
    #[test]
    fn each_server_gets_its_own_words_and_models_that_do_not_think_none() {
        let table = [
            (OpenAi, "gpt-5.4", Off, json!({ "reasoning_effort": "none" })),
            (OpenAi, "gpt-5-mini", Off, json!({ "reasoning_effort": "minimal" })),
            (OpenAi, "o4-mini", High, json!({ "reasoning_effort": "high" })),
            (OpenAi, "gpt-4o", High, json!({})),
            (OpenAi, "gpt-5-chat-latest", High, json!({})),
            (Groq, "qwen/qwen3-32b", Low, json!({ "reasoning_effort": "default" })),
            (Groq, "openai/gpt-oss-20b", Low, json!({ "reasoning_effort": "low" })),
            (Groq, "llama-3.1-8b-instant", Low, json!({})),
            (OpenRouter, "any/model", Off, json!({ "reasoning": { "enabled": false } })),
            (OpenRouter, "any/model", Low, json!({ "reasoning": { "effort": "low" } })),
            (Thinking, "deepseek-chat", High, json!({ "thinking": { "type": "enabled" } })),
            (XAi, "grok-3-mini", High, json!({ "reasoning_effort": "high" })),
            (XAi, "grok-4", High, json!({})),
            (Template, "qwen3", Off, json!({ "chat_template_kwargs": { "enable_thinking": false } })),
            (None, "gpt-5", High, json!({})),
        ];
        for (field, model, effort, expected) in table {
            let request = ModelRequest {
                model: model.to_owned(),
                system: String::new(),
                tools: Vec::new(),
                tool_choice: Default::default(),
                messages: Vec::new().into(),
                max_output_tokens: 1,
                effort: Some(effort),
                sampling: Box::default(),
            };
            assert_eq!(Value::Object(fields(field, &request)), expected, "{field:?} {model} {effort:?}");
        }
    }
}
