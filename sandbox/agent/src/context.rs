//! From the log to the request that a model gets: system prompt, tools, messages.
//!
//! The whole conversation is sent. Whatever is to shorten it works on the messages that
//! [`History::messages`] gives, before they become part of the request, and must leave their
//! beginning as it is for as long as it can: providers cache by prefix.

mod history;
mod messages;
mod page;
mod prompt;

pub(crate) use history::{History, Turn};

use protocol::RunId;
use protocol::hub::RunSpec;
use protocol::log::Entry;
use protocol::model::{ModelRequest, ToolChoice};

/// The request that `run` sends next when the log holds these entries.
pub fn assemble(spec: &RunSpec, run: &RunId, entries: &[Entry]) -> ModelRequest {
    request(spec, &History::of(run, entries))
}

pub(crate) fn request(spec: &RunSpec, history: &History) -> ModelRequest {
    ModelRequest {
        model: spec.model.clone(),
        system: prompt::system(spec),
        tools: spec.tools.clone(),
        tool_choice: ToolChoice::Auto,
        messages: history.messages(),
        max_output_tokens: spec.max_output_tokens,
        effort: None,
    }
}
