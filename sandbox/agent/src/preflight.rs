//! Help for models without native tools, before their first call: which tools the message seems to
//! want, what the simplest of them say, and a short plan by a model. Any may be missing; the run goes
//! on without.

mod intents;

use crate::tools;
use protocol::hub::RunSpec;
use protocol::model::{ModelMessage, ModelRequest, ToolCall, ToolChoice};
use serde_json::json;

const PROMPT: &str = include_str!("../prompt/plan.md");

/// Tokens of a plan, and bytes of the message that it is for.
const OUTPUT: u32 = 200;
const MESSAGE: usize = 4000;

/// Names the tools that the last message seems to want.
pub(crate) fn hint(spec: &RunSpec, said: &[String]) -> Option<String> {
    let tools: Vec<String> = wanted(spec, said).map(|tool| format!("`{tool}`")).collect();
    (!tools.is_empty()).then(|| format!("[Tools that may help here: {}.]", tools.join(", ")))
}

/// Calls of those tools that may be made before the model asks for them.
pub(crate) fn prefetch(spec: &RunSpec, said: &[String]) -> Vec<ToolCall> {
    let calls = wanted(spec, said).map(|tool| ToolCall {
        id: format!("prefetch-{tool}").into(),
        name: tool.to_owned(),
        input: json!({}),
    });
    calls.filter(tools::may_prefetch).collect()
}

fn wanted<'a>(spec: &'a RunSpec, said: &[String]) -> impl Iterator<Item = &'a str> {
    let wanted = said.last().map(|said| intents::tools_for(said)).unwrap_or_default();
    let tools = spec.tools.iter().map(|tool| tool.name.as_str());
    tools.filter(move |tool| wanted.contains(tool))
}

pub(crate) fn plan(spec: &RunSpec, said: &[String]) -> ModelRequest {
    let tools = spec.tools.iter().map(|tool| {
        let first = tool.description.lines().next().unwrap_or_default();
        format!("- {}: {first}", tool.name)
    });
    let tools: Vec<String> = tools.collect();
    let said = said.last().map(String::as_str).unwrap_or_default();
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
