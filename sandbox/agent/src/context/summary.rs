//! The request for a summary, and the answer as the model reads it.

use super::history::{Before, History};
use super::{cut, overview};
use protocol::log::Mark;
use protocol::model::{ModelMessage, ModelRequest, ToolChoice};
use protocol::run::RunSpec;

const PROMPT: &str = include_str!("../../prompt/summarise.md");

/// Tokens of a summary at most.
const OUTPUT: u32 = 2048;
/// Bytes of one text in the request.
const TEXT: usize = 4000;

/// Asks for a summary of what comes before `upto`, in a request of about so many bytes.
pub(super) fn request(spec: &RunSpec, history: &History, upto: &Mark, longest: usize) -> ModelRequest {
    let mut parts = Vec::new();
    if let Some(former) = history.summary() {
        parts.push(format!("Summary so far:\n{former}"));
    }
    for Before { said, turns } in history.before(upto) {
        for said in said {
            parts.push(format!("Person:\n{}", cut::in_the_middle(said, TEXT)));
        }
        for turn in turns {
            parts.extend(overview::line(turn));
            for (call, result) in turn.answered() {
                parts.push(format!(
                    "Result of {}:\n{}",
                    call.name,
                    cut::at_a_sentence(&result.content, TEXT / 4)
                ));
            }
            let said = turn.text();
            if !said.trim().is_empty() {
                parts.push(format!("Agent:\n{}", cut::in_the_middle(&said, TEXT)));
            }
        }
    }
    let text = parts.join("\n\n");
    ModelRequest {
        model: spec.model.clone(),
        system: PROMPT.trim_end().to_owned(),
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        messages: vec![ModelMessage::User {
            text: cut::in_the_middle(&text, longest).into_owned(),
            media: Vec::new(),
        }]
        .into(),
        max_output_tokens: OUTPUT.min(spec.max_output_tokens),
        effort: None,
        sampling: Box::default(),
    }
}

pub(super) fn render(text: &str, longest: usize) -> String {
    format!("[A summary of what was said earlier.]\n{}", cut::at_a_sentence(text.trim(), longest))
}
