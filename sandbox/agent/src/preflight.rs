//! Help for models without native tools before their first call, where their person wants it: a short plan by
//! the model itself, and what the simplest of the tools say that it names. Either may be missing; the run goes
//! on without. The message is read by the model alone, so that it may be in any language.

use crate::tools::ResolvedCall;
use protocol::model::{ModelMessage, ModelRequest, ToolCall, ToolChoice};
use protocol::run::RunSpec;
use serde_json::json;

const PROMPT: &str = include_str!("../prompt/plan.md");

/// Tokens of a plan, and bytes of the message that it is for.
const OUTPUT: u32 = 200;
const MESSAGE: usize = 4000;

/// Calls of the tools that the plan names, as far as they may be made before the model asks for them.
pub(crate) fn prefetch(spec: &RunSpec, plan: &str) -> Vec<ToolCall> {
    let named: Vec<&str> = plan.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let tools = spec.tools.iter().map(|tool| tool.name.as_str()).filter(|tool| named.contains(tool));
    let calls = tools.map(|tool| ToolCall {
        id: format!("prefetch-{tool}").into(),
        name: tool.to_owned(),
        input: json!({}),
    });
    calls.filter(|call| ResolvedCall::of(call.clone()).may_prefetch()).collect()
}

pub(crate) fn plan(spec: &RunSpec, said: &str) -> ModelRequest {
    let tools = spec.tools.iter().map(|tool| {
        let first = tool.description.lines().next().unwrap_or_default();
        format!("- {}: {first}", tool.name)
    });
    let tools: Vec<String> = tools.collect();
    let said = &said[..said.floor_char_boundary(MESSAGE)];
    ModelRequest {
        model: spec.model.clone(),
        system: format!("{}\n\nThe tools:\n{}", PROMPT.trim_end(), tools.join("\n")),
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        messages: vec![ModelMessage::User { text: format!("The message:\n{said}"), media: Vec::new() }]
            .into(),
        max_output_tokens: OUTPUT.min(spec.max_output_tokens),
        effort: None,
        sampling: Box::default(),
    }
}
