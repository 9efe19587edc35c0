//! What stands before the messages of a request. It is the same in all requests of a run, until a
//! tool is found or made.

use super::{prompt, size};
use protocol::model::ToolSpec;
use protocol::run::RunSpec;

#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) system: String,
    pub(super) tools: Vec<ToolSpec>,
    /// Of both, as JSON.
    pub(super) bytes: usize,
}

impl Head {
    /// `more` are tools that were found or made; one of the spec's own name is left out.
    pub(super) fn of(spec: &RunSpec, more: Vec<ToolSpec>) -> Self {
        let system = prompt::system(spec);
        let mut tools = spec.tools.clone();
        for tool in more {
            if !tools.iter().any(|known| known.name == tool.name) {
                tools.push(tool);
            }
        }
        let bytes = size::of(&system) + size::of(&tools);
        Self { system, tools, bytes }
    }
}
